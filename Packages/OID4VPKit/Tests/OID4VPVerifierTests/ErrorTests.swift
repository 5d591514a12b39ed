import JOSEKit
import JSONKit
import OID4VPMessages
import OID4VPVerifier
import Testing

/// The errors of the verifier.
struct ErrorTests {
    @Test func printsItsCodeAndItsPlace() {
        let error = OID4VPVerifierError(.notEncrypted, "the response is in the clear", path: ["response"])
        #expect(error.code == .notEncrypted)
        #expect("\(error)".contains("response"))
    }

    /// Each level has words of its own, and the place is named once.
    @Test func saysWhatItsCauseSaysOnce() throws {
        let metadata = #"{"vp_formats_supported": {"dc+sd-jwt": {}}, "jwks": {"keys": 1}}"#
        let error = #expect(throws: OID4VPVerifierError.self) {
            try RequestURIPost(form: FormParameters.form(["wallet_metadata": metadata]))
        }
        let form = try #require(error?.cause as? OID4VPError)
        let keys = try #require(form.cause as? JOSEError)
        #expect(error?.code == .invalidWalletMetadata && error?.path == ["wallet_metadata", "jwks"])
        #expect(form.code == .invalidMetadata && form.path.isEmpty)
        #expect(
            error?.description == "invalidWalletMetadata in wallet_metadata.jwks: the form cannot be read "
                + "(invalidMetadata: the key set cannot be read (\(keys)))"
        )
    }

    @Test func keepsTheCodeBelow() throws {
        let stored = #expect(throws: OID4VPVerifierError.self) { try ResponseExpectation(decoding: Array("{".utf8)) }
        #expect(stored?.message == "it is not JSON" && stored?.cause is JSONError)
        let form = #expect(throws: OID4VPVerifierError.self) { try ReceivedResponse(form: "a=%") }
        #expect(
            form?.description == "malformedResponse: the parameters cannot be read "
                + "(invalidURL: a percent sign is not followed by two digits)"
        )
    }
}
