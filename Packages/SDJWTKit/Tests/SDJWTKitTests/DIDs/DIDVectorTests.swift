import JOSEKit
import JSONKit
import SDJWTKit
import TestSupport
import Testing

/// DIDs of the method specifications, and some that must be refused.
@Suite(.enabled(if: VectorSet("oid4vp").isAvailable, VectorSet.absence))
struct DIDVectorTests {
    @Test(
        arguments: VectorSet("oid4vp").files(withExtension: "json").filter { $0.testDescription.hasSuffix("did.json") }
    )
    func file(_ file: VectorFile) async throws {
        let content = try JSONValue(parsing: try file.bytes())
        var count = 0
        var passedOver: [(name: String, reason: String)] = []
        for name in ["did_key", "did_jwk"] {
            for entry in try cases(name, of: content) {
                do {
                    try await expectKey(entry)
                    count += 1
                } catch  where EngineCoverage.excuses(error) {
                    passedOver.append((entry["did"]?.stringValue ?? name, "this build has no libcrypto"))
                }
            }
        }
        for (name, code) in [
            ("did_key_invalid", nil), ("did_key_unsupported", SDJWTError.Code.unsupportedDID), ("did_jwk_invalid", nil),
        ] {
            for entry in try cases(name, of: content) {
                let did = try #require(entry["did"]?.stringValue)
                let error = await #expect(throws: SDJWTError.self, "\(entry)") {
                    try await DIDMethods.local.key(for: did, relationship: .assertionMethod)
                }
                #expect(error?.code == .invalidDID || error?.code == .unsupportedDID, "\(entry)")
                if let code { #expect(error?.code == code, "\(entry)") }
                count += 1
            }
        }
        file.report(ran: count, passedOver: passedOver)
    }

    private func cases(_ name: String, of content: JSONValue) throws -> [JSONValue] {
        try #require(content[name]?.arrayValue)
    }

    /// The verification method's key is the one that is printed, unless it is for encryption.
    private func expectKey(_ entry: JSONValue) async throws {
        let url = try #require(entry["verification_method"]?.stringValue)
        let jwk = try JWK(json: try #require(entry["jwk"]))
        var relationship = VerificationRelationship.assertionMethod
        if jwk.use == .encryption || jwk.curve == "X25519" || jwk.curve == "X448" {
            relationship = .keyAgreement
            await expectRefusal(.verificationMethodNotFound) {
                try await DIDMethods.local.key(
                    for: url,
                    relationship: jwk.use == nil ? .assertionMethod : .authentication
                )
            }
        }
        let key = try await DIDMethods.local.key(for: url, relationship: relationship)
        #expect(try key.publicKey() == jwk.publicKey(), "\(entry)")
    }
}
