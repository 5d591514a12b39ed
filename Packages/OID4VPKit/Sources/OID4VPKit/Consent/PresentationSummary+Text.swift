import CryptoCore
import JSONKit
import OID4VPMessages
import SDJWTKit

extension PresentationSummary {
    /// The summary as lines of text for a person, in English.
    ///
    /// Every name and value is in quotation marks and escaped, so that it cannot pass for a line or a word of the summary. Long
    /// values, and long texts that only the verifier knows, are cut off, but not those of a transaction; of many unanswered
    /// queries only the first are listed. Nothing that leaves is omitted.
    public var lines: [String] {
        var lines = credentials.flatMap(lines(of:)) + transactions.flatMap(lines(of:))
        let unregistered = excess.sorted { $0.key < $1.key }.flatMap { query, paths in
            paths.map { "\(Self.text(of: $0, cutting: true)) of \(Self.cut(query.text))" }
        }
        lines += list(
            unregistered.map { "The verifier is not registered for \($0)" },
            "for which the verifier is not registered"
        )
        lines += list(
            unanswered.map { "\(verifier) asks for \(Self.cut($0.text)): nothing is sent" },
            "queries to which nothing is sent"
        )
        if let recipient = verifier.recipient { lines.append("The answer goes to \(Self.quoted(recipient))") }
        return lines
    }

    /// The largest number of listed names that only the verifier knows.
    private static let mostListed = 8
    /// The largest number of characters shown of such a name, and of a value.
    private static let mostShown = 64
    /// The largest number of characters shown of a purpose.
    private static let longestPurpose = 256

    private func list(_ lines: [String], _ what: String) -> [String] {
        let more = lines.count - Self.mostListed
        return lines.prefix(Self.mostListed) + (more > 0 ? ["  \(more) more \(what)"] : [])
    }

    private func lines(of credential: Credential) -> [String] {
        let types = credential.types.map { Self.quoted($0.text) }.joined(separator: ", ")
        var lines = ["\(verifier) gets of \(types.isEmpty ? "a credential without a type" : types):"]
        if credential.elements.isEmpty { lines.append("  no claim") }
        for element in credential.elements { lines.append("  \(Self.text(of: element))") }
        if !credential.technical.isEmpty {
            let names = credential.technical.names.map { Self.quoted($0) }.joined(separator: ", ")
            lines.append("  and of the credential itself: \(names)")
        }
        return lines
            + credential.purposes.map {
                "  for this purpose, as the verifier says: \(Self.cut($0, Self.longestPurpose))"
            }
    }

    private func lines(of transaction: Transaction) -> [String] {
        ["The answer authorizes \(Self.quoted(transaction.type.text)):"]
            + transaction.members.map { "  \(Self.quoted($0.name)): \(Self.text(of: $0.value, cutting: false))" }
    }

    private static func text(of element: Element) -> String {
        var text = "\(text(of: element.path, cutting: false)): \(text(of: element.value, cutting: true))"
        if !element.isRequested { text += ", which cannot be withheld" }
        if element.isRetained { text += ", to be kept" }
        return text
    }

    private static func text(of path: ClaimPath, cutting isCut: Bool) -> String {
        path.components.map { component in
            switch component {
            case .name(let name): isCut ? cut(name) : quoted(name)
            case .index(let index): "\(index)"
            case .all: "*"
            }
        }.joined(separator: "/")
    }

    /// A value; one that is no text in JSON.
    private static func text(of value: JSONValue, cutting isCut: Bool) -> String {
        let text = value.stringValue ?? value.text(.compact)
        switch value {
        case .number, .bool, .null: return text
        default: return isCut ? cut(text) : quoted(text)
        }
    }

    /// A text in quotation marks, with those in the text itself escaped.
    fileprivate static func quoted(_ text: some StringProtocol) -> String {
        let escaped = text.escapedForDisplay(backslash: true).unicodeScalars.reduce(into: "") { text, scalar in
            text.unicodeScalars.append(contentsOf: scalar == "\"" ? ["\\", scalar] : [scalar])
        }
        return "\"\(escaped)\""
    }

    /// The beginning of a text.
    private static func cut(_ text: String, _ count: Int = mostShown) -> String {
        let scalars = text.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: count, limitedBy: scalars.endIndex),
            end < scalars.endIndex
        else { return quoted(text) }
        return "\(quoted(text[..<end]))…"
    }
}

extension PresentationSummary.Verifier: CustomStringConvertible {
    /// The verifier and its proof, on one line.
    ///
    /// Names are escaped, and shown only if the wallet, a certificate or a federation vouches for them.
    public var description: String {
        guard case .verified(let rule) = proof else {
            guard let client, client.rule == .preRegistered else {
                let place = recipient.map { " at \(PresentationSummary.quoted($0))" } ?? ""
                return "An unknown verifier\(place) (it did not sign the request)"
            }
            return "The verifier \(shown(name ?? client.original)) (it is registered, and did not sign the request)"
        }
        return "The verifier \(shown(subject)) (it signed, and \(voucher(for: rule)))"
    }

    /// The name that is vouched for.
    private var subject: String {
        name ?? certificateChain.map { "\($0.leaf.subject)" } ?? client?.original ?? ""
    }

    private func voucher(for rule: ClientIdentifier.Rule) -> String {
        if let certificateChain { return "\(shown("\(certificateChain.anchor.subject)")) vouches for it" }
        switch rule {
        case .preRegistered: return "it is registered"
        case .verifierAttestation: return "an attester vouches for it"
        case .federation: return "its federation vouches for it"
        case .decentralizedIdentifier, .redirectURI, .x509SANDNS, .x509SANURI, .x509Hash:
            return "nobody vouches for it"
        }
    }

    private func shown(_ text: String) -> String { PresentationSummary.quoted(text) }
}

extension PresentationSummary: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The verifier and the types of the credentials, without the claims.
    public var description: String { "summary for \(verifier): \(credentials)" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension PresentationSummary.Credential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The format and the types, without the claims.
    public var description: String { "\(format) credential of \(types.map(\.description).joined(separator: ", "))" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension PresentationSummary.Element: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The path, without the value.
    public var description: String { path.description.escapedForDisplay() }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension PresentationSummary.Transaction: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The type, without the members.
    public var description: String { type.description }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
