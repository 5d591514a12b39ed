import CryptoCore
import JOSEKit
import JSONKit
import SDJWTKit
import Testing

/// An SD-JWT that a specification prints, with the payload that must come out.
struct SpecificationVector {
    let name: String
    let text: String
    let issuerKey: PublicKey
    let value: JSONValue
    let nonce: String

    init(_ value: JSONValue, of file: JSONValue) throws {
        self.value = value
        name = value["id"]?.stringValue ?? "?"
        text = try #require(value["sdJwt"]?.stringValue)
        issuerKey = try VectorKeys.publicKey(file["keys"]?["issuer"])
        nonce = file["keyBinding"]?["nonce"]?.stringValue ?? ""
    }

    func run() throws {
        let sdJWT = try SDJWT(compact: text)
        let type = try #require(value["issuerHeader"]?["typ"]?.stringValue)
        var expected = SDJWTExpectation.noKeyBinding
        if let binding = value["keyBindingPayload"]?.objectValue {
            let audience = try #require(binding["aud"]?.stringValue)
            expected = .keyBinding(KeyBindingExpectation(audience: audience, nonce: nonce))
        }
        let policy =
            type == "dc+sd-jwt"
            ? .credential(algorithms: [.es256]) : SDJWTVerificationPolicy(algorithms: [.es256], types: [type])
        let verification = SDJWTVerifier.verify(
            sdJWT,
            issuerKey: IssuerKey(issuerKey),
            policy: policy,
            expecting: expected,
            at: try VectorKeys.time(of: sdJWT)
        )
        #expect(verification.refusal == nil, "\(name)")
        guard let verified = verification.verified else { return }
        #expect(.object(verified.claims) == value["processedPayload"], "\(name)")
        #expect(.object(verified.header.members) == value["issuerHeader"], "\(name)")
        if let binding = value["keyBindingPayload"]?.objectValue {
            #expect(verified.keyBinding?.claims == binding, "\(name)")
        }
        #expect(try sdJWT.compactSerialization() == text, "\(name)")
    }
}
