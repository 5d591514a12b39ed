import CryptoCore
import Testing

@Suite struct CryptoErrorTests {
    @Test func descriptionTellsCodePlaceMessageAndCause() {
        let inner = CryptoError(.invalidDER, "the length is not minimal", offset: 7)
        let outer = CryptoError(.invalidPEM, "not a key", cause: inner).inside("privateKey").inside("PrivateKeyInfo")
        #expect(inner.description == "invalidDER at byte 7: the length is not minimal")
        #expect(
            outer.description
                == "invalidPEM in PrivateKeyInfo.privateKey: not a key (invalidDER at byte 7: the length is not minimal)"
        )
        #expect(outer.code == .invalidPEM)
        #expect(outer.code != .invalidDER)
    }
}
