import ArgumentParser
import CommandSupport
import Foundation
import IRMAMessages
import JSONKit

/// The flags that make a session request.
struct RequestOptions: ParsableArguments {
    @Option(
        name: [.customShort("r"), .long],
        help: "The session request: JSON, or a file with it, or - for standard input."
    )
    var request: String?

    @Option(name: .long, help: "Attributes to disclose one of, separated by commas; may be repeated.")
    var disclose: [String] = []

    @Option(
        name: .long,
        help: "A credential to issue, as type=value,value,… in the order of the type; may be repeated."
    )
    var issue: [String] = []

    @Option(name: .long, help: "Attributes to sign with one of, separated by commas; may be repeated.")
    var sign: [String] = []

    @Option(name: .long, help: "The message to sign.")
    var message: String?

    @Option(name: .long, help: "The issuer's name for a credential that can be revoked.")
    var revocationKey: String?

    @OptionGroup var assets: SchemesAssetsOptions
    @OptionGroup var schemes: SchemesOptions

    /// Indicates that flags make the request, instead of `--request`.
    private var isMade: Bool {
        !disclose.isEmpty || !issue.isEmpty || !sign.isEmpty || message?.isEmpty == false
    }

    /// Refuses flags that do not go together, before schemes are read or fetched.
    ///
    /// - Throws: ``ToolError``.
    func checkFlags() throws(ToolError) {
        guard isMade != (request?.isEmpty == false) else {
            throw ToolError("either give a request with --request, or make one with --disclose, --issue or --sign")
        }
        guard sign.isEmpty || (disclose.isEmpty && issue.isEmpty) else {
            throw ToolError("a session that signs can have neither --disclose nor --issue")
        }
        guard sign.isEmpty == (message?.isEmpty != false) else {
            throw ToolError("--sign and --message go together")
        }
        guard revocationKey == nil || !issue.isEmpty else { throw ToolError("--revocation-key goes with --issue") }
    }

    /// Makes the request.
    ///
    /// - Parameter snapshot: The schemes, which know the names.
    /// - Throws: ``ToolError``.
    func message(_ snapshot: SchemeSnapshot) throws(ToolError) -> RequestorMessage {
        try checkFlags()
        if let request, !isMade { return try Self.read(request) }
        guard issue.isEmpty else {
            let credentials = try credentials(snapshot)
            return RequestorMessage(
                SessionRequest(.issuing(credentials), disclose: try Self.condiscon(disclose, snapshot))
            )
        }
        if let message, !sign.isEmpty {
            return RequestorMessage(
                SessionRequest(.signing(message: message), disclose: try Self.condiscon(sign, snapshot))
            )
        }
        return RequestorMessage(SessionRequest(.disclosing, disclose: try Self.condiscon(disclose, snapshot)))
    }

    private static func read(_ text: String) throws(ToolError) -> RequestorMessage {
        let isFile = text == "-" || FileManager.default.fileExists(atPath: text)
        let bytes = isFile ? try InputFile(argument: text).read() : Array(text.utf8)
        do {
            return try RequestorMessage(decoding: bytes)
        } catch {
            throw ToolError("--request: \(error)")
        }
    }

    private static func condiscon(_ texts: [String], _ snapshot: SchemeSnapshot) throws(ToolError) -> Condiscon {
        var disjunctions: [AttributeDisjunction] = []
        for text in texts {
            var choices: [AttributeConjunction] = []
            for name in text.split(separator: ",", omittingEmptySubsequences: false) {
                let attribute = AttributeIdentifier(String(name))
                let type = snapshot.credentialType(attribute.credentialType)
                guard attribute.isWellFormed, let type,
                    attribute.attribute.map({ type.baseIndex(of: $0) != nil }) ?? true
                else { throw ToolError("unknown attribute: \(name)") }
                choices.append(AttributeConjunction([AttributeRequest(attribute)]))
            }
            disjunctions.append(AttributeDisjunction(choices))
        }
        return Condiscon(disjunctions)
    }

    private func credentials(_ snapshot: SchemeSnapshot) throws(ToolError) -> [CredentialRequest] {
        var credentials: [CredentialRequest] = []
        var isRevocable = false
        for text in issue {
            guard let sign = text.firstIndex(of: "=") else { throw ToolError("--issue: not of the form type=value,…") }
            let id = CredentialTypeIdentifier(String(text[..<sign]))
            guard let type = snapshot.credentialType(id) else { throw ToolError("unknown credential type: \(id)") }
            let values = text[text.index(after: sign)...].split(separator: ",", omittingEmptySubsequences: false)
            let attributes = type.attributes.filter { !$0.isRevocation && !$0.isRandomBlind }
            guard values.count == attributes.count else {
                throw ToolError("\(id) has \(attributes.count) attributes, and \(values.count) values are given")
            }
            var request = CredentialRequest(
                id,
                attributes: Dictionary(
                    zip(attributes, values).map { (ExactText($0.name), String($1)) },
                    uniquingKeysWith: { $1 }
                )
            )
            if type.revocationIndex != nil {
                guard let revocationKey else { throw ToolError("\(id) can be revoked: give --revocation-key") }
                request.revocationKey = revocationKey
                isRevocable = true
            }
            credentials.append(request)
        }
        guard isRevocable || revocationKey == nil else {
            throw ToolError("--revocation-key is given, and no credential can be revoked")
        }
        return credentials
    }
}
