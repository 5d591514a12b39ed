import StatusListKit
import Testing

@Suite struct StatusListErrorTests {
    @Test func descriptionNamesCodePlaceAndMessage() {
        let error = StatusListError(.malformed, "is wrong", path: ["inner"]).inside("outer")
        #expect(error.path == ["outer", "inner"])
        #expect(error.description == "malformed in outer.inner: is wrong")
    }
}
