public import JSONKit
public import VerificationCore

extension JSONLDProcessor {
    /// The types of a credential in a token, or of one whose proofs cover the JSON itself, expanded where a context defines
    /// them.
    ///
    /// The signature covers the text of the credential, whatever its terms mean. So a type that no context defines stays as
    /// it is (OpenID4VP 1.0, appendix B.1), and nothing but contexts and types is read. Of a credential with a context that
    /// is unknown, only types that are IRIs already count.
    public func types(ofToken credential: JSONObject) -> [ExactText] {
        let type = credential["type"] ?? .null
        let outline: JSONObject = ["@context": credential["@context"] ?? .null, "type": type]
        var options = JSONLDOptions.default
        options.safeMode = nil
        guard let node = try? expand(.object(outline), options: options).value[0] else {
            return (type.arrayValue ?? [type]).compactMap(\.stringValue)
                .filter { $0.utf8.contains(UInt8(ascii: ":")) }.map { ExactText($0) }
        }
        return (node["@type"]?.arrayValue ?? []).compactMap(\.stringValue).map { ExactText($0) }
    }
}
