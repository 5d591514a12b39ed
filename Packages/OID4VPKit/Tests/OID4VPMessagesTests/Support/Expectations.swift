import JSONKit
import OID4VPMessages
import Testing

/// Expects an error with a code, and with the place if one is given.
func expect<Value>(
    _ code: OID4VPError.Code,
    at path: [String]? = nil,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws(OID4VPError) -> Value
) {
    do throws(OID4VPError) {
        _ = try body()
        Issue.record("nothing was refused; expected \(code)", sourceLocation: sourceLocation)
    } catch {
        #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
        if let path { #expect(error.path == path, "\(error)", sourceLocation: sourceLocation) }
    }
}

/// A number as written; null for any other text.
func decimal(_ text: String) -> JSONValue { (try? JSONNumber(text: text)).map(JSONValue.number) ?? .null }
