import JSONKit
import SDJWTKit

extension ClaimPath {
    /// Indicates that the path is a namespace and an element identifier of an mdoc.
    var isDataElement: Bool {
        components.count == 2
            && components.allSatisfy { if case .name = $0 { true } else { false } }
    }

    /// The values that the path selects; none where a step meets a value of the wrong kind, which makes the claim absent
    /// (OpenID4VP 1.0, section 7.1).
    func selectedValues(in claims: JSONObject) -> [JSONValue] {
        (try? values(in: .object(claims))) ?? []
    }
}
