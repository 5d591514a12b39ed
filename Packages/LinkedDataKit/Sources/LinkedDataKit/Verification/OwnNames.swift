import JSONKit
import VerificationCore

/// The names that a document defines itself: its holder can exchange those that a proof over the graph does not cover.
struct OwnNames {
    private let terms: Set<ExactText>
    private let definesOthers: Bool

    /// No names.
    static let none = OwnNames(definedBy: nil)

    /// The names that a document's `@context` defines, beside those of contexts that the verifier has by their URLs.
    init(definedBy context: JSONValue?) {
        var terms: Set<ExactText> = []
        var definesOthers = false
        for element in context?.elements ?? [] {
            guard let members = element.objectValue else {
                // What a context object defines goes into the contexts that follow it.
                if !terms.isEmpty { definesOthers = true }
                continue
            }
            for (name, _) in members where !Self.namelessKeywords.contains(name) {
                if name.utf8.first == UInt8(ascii: "@") { definesOthers = true } else { terms.insert(ExactText(name)) }
            }
        }
        self.terms = terms
        self.definesOthers = definesOthers
    }

    /// The members of a context that give no name a meaning.
    private static let namelessKeywords: Set<String> = ["@version", "@protected"]

    /// Returns `true` if a text of a document is one of the names, or begins with one as its prefix.
    ///
    /// Also `true` for a context inside the document, and for members such as `@vocab`, which can give any text a meaning.
    func areUsed(in members: JSONObject) -> Bool {
        if definesOthers { return true }
        var pending = [JSONValue.object(JSONObject(members.filter { $0.name != "@context" }))]
        while let value = pending.popLast() {
            switch value {
            case .string(let text):
                if isName(text) { return true }
            case .array(let elements): pending += elements
            case .object(let object):
                for member in object {
                    if member.name == "@context" || isName(member.name) { return true }
                    pending.append(member.value)
                }
            default: break
            }
        }
        return false
    }

    private func isName(_ text: String) -> Bool {
        guard !terms.isEmpty else { return false }
        if terms.contains(ExactText(text)) { return true }
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
        return terms.contains(ExactText(String(text[..<colon])))
    }
}
