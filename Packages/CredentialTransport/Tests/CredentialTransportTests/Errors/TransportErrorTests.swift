import CredentialTransport
import Testing

@Suite struct TransportErrorTests {
    @Test func descriptionNamesCodePlaceAndMessage() {
        let error = TransportError(.addressNotAllowed, "is wrong", path: ["inner"]).inside("outer")
        #expect(error.path == ["outer", "inner"])
        #expect(error.description == "addressNotAllowed in outer.inner: is wrong")
    }
}
