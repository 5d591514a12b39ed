import OID4VPVerifier
import Testing

/// The errors of the verifier.
struct ErrorTests {
    @Test func printsItsCodeAndItsPlace() {
        let error = OID4VPVerifierError(.notEncrypted, "the response is in the clear", path: ["response"])
        #expect(error.code == .notEncrypted)
        #expect("\(error)".contains("response"))
    }
}
