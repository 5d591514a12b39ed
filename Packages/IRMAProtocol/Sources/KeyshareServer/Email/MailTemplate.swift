/// The body of an e-mail in HTML with variables: `<a href="{{.VerificationURL}}">`.
///
/// Of the templates of the reference, which are those of Go's `html/template`, it takes variables and no other action. A value is
/// written with the characters `& < > " '` escaped.
public struct MailTemplate: Sendable {
    /// A variable of a template.
    public enum Variable: String, CaseIterable, Sendable {
        /// The link that verifies an address: `VerificationURL`.
        case verificationURL = "VerificationURL"
        /// The link that logs in: `TokenURL`.
        case tokenURL = "TokenURL"
        /// The name of the account: `Username`.
        case username = "Username"
        /// The addresses of the account: `Email`.
        case email = "Email"
        /// The number of days before something is deleted: `Delay`.
        case delay = "Delay"
    }

    private enum Part: Sendable {
        case text(String)
        case variable(Variable)
    }

    /// The largest size in bytes.
    public static let maximumSize = 1 << 20

    private let parts: [Part]

    /// Reads a template.
    ///
    /// - Throws: ``KeyshareServerError/Code-swift.struct/invalidMailTemplate`` for an action that is no known variable, one
    ///   without an end, and a template of more than 1 MiB.
    public init(_ source: String) throws(KeyshareServerError) {
        guard source.utf8.count <= Self.maximumSize else {
            throw KeyshareServerError(.invalidMailTemplate, "more than \(Self.maximumSize) bytes")
        }
        var parts: [Part] = []
        var rest = source[...]
        while let start = rest.firstRange(of: "{{") {
            parts.append(.text(String(rest[..<start.lowerBound])))
            rest = rest[start.upperBound...]
            guard let end = rest.firstRange(of: "}}") else {
                throw KeyshareServerError(.invalidMailTemplate, "an action without an end")
            }
            parts.append(.variable(try Self.variable(rest[..<end.lowerBound])))
            rest = rest[end.upperBound...]
        }
        parts.append(.text(String(rest)))
        self.parts = parts
    }

    private static func variable(_ action: Substring) throws(KeyshareServerError) -> Variable {
        let words = action.split { $0 == " " || $0 == "\t" }
        guard words.count == 1, words[0].first == ".", let variable = Variable(rawValue: String(words[0].dropFirst()))
        else {
            let known = Variable.allCases.map { "." + $0.rawValue }.joined(separator: ", ")
            throw KeyshareServerError(
                .invalidMailTemplate,
                "the action '\(action.prefix(60))' is not among the variables \(known)"
            )
        }
        return variable
    }

    /// The text with the values of variables; one without a value is left out.
    public func text(_ values: [Variable: String]) -> String {
        parts.map { part in
            switch part {
            case .text(let text): text
            case .variable(let variable): Self.escaped(values[variable] ?? "")
            }
        }.joined()
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&#34;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }
}
