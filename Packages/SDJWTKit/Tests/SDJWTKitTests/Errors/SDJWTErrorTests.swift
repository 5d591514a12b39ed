import SDJWTKit
import Testing

@Suite struct SDJWTErrorTests {
    @Test func descriptionNamesCodePlaceAndMessage() {
        let error = SDJWTError(.malformed, "is wrong", path: ["inner"]).inside("outer")
        #expect(error.path == ["outer", "inner"])
        #expect(error.description == "malformed in outer.inner: is wrong")
    }
}
