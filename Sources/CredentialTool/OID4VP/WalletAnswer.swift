import CommandSupport
import JOSEKit
import JSONKit
import OID4VPMessages

/// A wallet's answer in a file, in whichever form it was written down.
struct WalletAnswer {
    private let members: JSONObject?
    private let text: String

    /// Recognizes the form: JSON, a JWE, a URL with the answer in its fragment or query, or the body of a form.
    init(_ text: String) throws {
        if text.hasPrefix("{") {
            let value = try JSONValue(parsing: text)
            guard let object = value.objectValue else { throw ToolError("it is no JSON object") }
            // The object that a page gets from the Digital Credentials API has the answer inside.
            members = object["data"]?.objectValue ?? object
        } else if (try? JWE(compact: text)) != nil {
            members = ["response": .string(text)]
        } else {
            members = nil
        }
        // In the body of a form these characters are encoded.
        guard members == nil, text.contains("://") else {
            self.text = text
            return
        }
        guard let start = text.firstIndex(of: "#") ?? text.firstIndex(of: "?") else {
            throw ToolError("the URL has no answer")
        }
        self.text = String(text[text.index(after: start)...])
    }

    /// The answer as the body of a form.
    var form: String { members.map { ResponseParameters($0).form.text } ?? text }

    /// The answer as the object of a platform.
    var platformData: JSONObject {
        get throws {
            guard let members else { throw ToolError("an answer of the Digital Credentials API is JSON") }
            return members
        }
    }
}
