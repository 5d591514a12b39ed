import Credentials
import Foundation

/// Prints what happens, who does it, and the verdicts.
enum Stage {
    static func chapter(_ title: String) {
        print("\n\(title)\n\(String(repeating: "─", count: title.count))")
    }

    /// One step of one party.
    static func step(_ party: String, _ text: String) {
        print("  \(party.padding(toLength: 8, withPad: " ", startingAt: 0)) \(text)")
    }

    /// Every document's verdict, with the elements of verified ones and the failed check of refused ones.
    static func verdicts(of verification: Verification<[VerifiedMdocDocument]>) {
        for document in verification.documents {
            let passed = document.checks.count { $0.outcome == .passed }
            switch document.verdict {
            case .verified(let verified):
                step("verdict", "VERIFIED: \(passed) checks passed, at \(verification.time.formatted(.iso8601))")
                step("", "signed by \(verified.signer.leaf.subject)")
                step("", "trusted through \(verified.signer.anchor.subject)")
                for group in verified.elements.groups { elements(of: group) }
            case .refused(let refusal):
                step("verdict", "REFUSED: \(refusal.reason)")
                step("", "check \(refusal.check): \(refusal.message)")
                step("", "\(passed) other checks passed; no element can be read from this document")
            }
        }
    }

    private static func elements(of group: DataElements<VerifiedElement>.Group) {
        step("", "\(group.nameSpace)")
        for (identifier, element) in group.elements {
            let name = "\(identifier)".padding(toLength: 20, withPad: " ", startingAt: 0)
            step("", "  \(name) \(readable(JSONValue(dataElement: element.view), element.view))")
        }
    }

    /// A value as a person reads it: a picture by its size, a privilege as "vehicle category code B, issue date 2019-05-04".
    private static func readable(_ value: JSONValue, _ view: CBORView) -> String {
        if view.kind == .byteString, let bytes = try? view.bytes() { return "\(bytes.count) bytes" }
        return readable(value)
    }

    static func readable(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): text
        case .bool(let isTrue): isTrue ? "yes" : "no"
        case .null: "nothing"
        case .number: value.text()
        case .array(let elements): elements.map { readable($0) }.joined(separator: "; ")
        case .object(let members):
            members.map { "\($0.name.replacing("_", with: " ")) \(readable($0.value))" }.joined(separator: ", ")
        }
    }
}
