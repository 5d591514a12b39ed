import CredentialTransport
import CryptoCore

/// Refuses settings that cannot work.
enum ServerCheck {
    /// The URL with a slash at its end.
    static func url(_ url: String) throws(TransactionError) -> String {
        let text = url.hasSuffix("/") ? url : url + "/"
        let parsed: HTTPURL
        do throws(TransportError) {
            parsed = try HTTPURL(text)
        } catch {
            throw TransactionError(.invalidConfiguration, "it is no HTTP URL", path: ["url"], cause: error)
        }
        guard parsed.query == nil, !text.contains("#") else {
            throw TransactionError(.invalidConfiguration, "the URL has no query and no fragment", path: ["url"])
        }
        guard parsed.scheme == .https else {
            throw TransactionError(.invalidConfiguration, "the URL must be https", path: ["url"])
        }
        return text
    }

    static func check(_ options: TransactionServerOptions) throws(TransactionError) {
        let numbers: [(String, Bool)] = [
            ("lifetime", options.lifetime >= .seconds(1)), ("resultLifetime", options.resultLifetime >= .seconds(1)),
            ("callDeadline", options.callDeadline > .zero),
            ("verificationDeadline", options.verificationDeadline > .zero),
            ("repetitionLifetime", options.repetitionLifetime >= .zero),
            ("maximumOpenTransactions", options.maximumOpenTransactions > 0),
            ("maximumResponseSize", options.maximumResponseSize > 0),
            ("maximumCallSize", options.maximumCallSize > 0),
            ("maximumWalletMetadataSize", options.maximumWalletMetadataSize > 0),
        ]
        for (name, isUsable) in numbers where !isUsable {
            throw TransactionError(.invalidConfiguration, "the value is too small", path: [name])
        }
    }

    /// Refuses a party whose requests no wallet would take from the host of the URL, unless it may be for platforms alone.
    static func check(_ parties: [String: ServedRelyingParty], at url: String) throws(TransactionError) {
        guard let host = (try? HTTPURL(url))?.host.description else { return }
        for (name, served) in parties.sorted(by: { $0.key < $1.key }) where served.party.origins.isEmpty {
            let client = served.party.client
            guard client.rule == .x509SANDNS, let named = client.original, named.lowercased() != host.lowercased()
            else {
                continue
            }
            throw TransactionError(
                .invalidConfiguration,
                "the client identifier names the host \(named), and the URL of the server is at \(host)",
                path: ["relyingParties", name]
            )
        }
    }

    /// - Parameter names: The names of the relying parties; nil where others may be found.
    static func check(
        _ requestors: [TransactionRequestor],
        names: [String]?
    ) throws(TransactionError) {
        func fault(_ requestor: TransactionRequestor, _ message: String) -> TransactionError {
            TransactionError(.invalidConfiguration, message, path: ["requestors", requestor.name])
        }
        for (place, requestor) in requestors.enumerated() {
            let others = requestors[..<place]
            guard !requestor.name.isEmpty, !others.contains(where: { $0.name.hasSameBytes(as: requestor.name) }) else {
                throw fault(requestor, "an empty or repeated name")
            }
            guard requestor.token.count >= TransactionRequestor.minimumTokenSize else {
                throw fault(requestor, "a token of fewer than \(TransactionRequestor.minimumTokenSize) bytes")
            }
            guard !others.contains(where: { $0.token == requestor.token }) else {
                throw fault(requestor, "the token of another requestor")
            }
            guard !requestor.relyingParties.isEmpty,
                names.map({ requestor.relyingParties.allSatisfy($0.contains) }) ?? true
            else {
                throw fault(requestor, "no relying party, or an unknown one")
            }
        }
    }

    /// Returns `true` for the beginning of a link to a wallet: a scheme with what may follow it, without query and fragment.
    static func isLinkBase(_ text: String) -> Bool {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), text.utf8.count <= 512,
            text.utf8.allSatisfy({ (0x21..<0x7f).contains($0) && $0 != UInt8(ascii: "#") && $0 != UInt8(ascii: "?") })
        else { return false }
        let scheme = text[..<colon].lowercased()
        let isScheme = scheme.utf8.enumerated().allSatisfy { place, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
                place > 0
            default: false
            }
        }
        return isScheme && !scheme.isEmpty && !["http", "javascript", "data", "file"].contains(scheme)
    }
}
