import JOSEKit
import Testing

@Suite struct JOSEErrorTests {
    @Test func descriptionNamesCodePlaceAndMessage() {
        let error = JOSEError(.malformed, "is wrong", path: ["inner"]).inside("outer")
        #expect(error.path == ["outer", "inner"])
        #expect(error.description == "malformed in outer.inner: is wrong")
    }
}
