import COSEKit
import TestSupport
import Testing

@Suite struct RFC9679Tests {
    /// The key of section 6, whose members are the first key of RFC 9052 appendix C.7.1.
    private func key() throws -> COSEKey {
        try #require(COSEKeySet(decoding: bytes(RFC9052Figures.publicKeys)).keys.first)
    }

    @Test func theThumbprintOfSection6IsComputed() throws {
        let input = """
            a40102200121582065eda5a12577c2bae829437fe338701a10aaa375e1bb5b5de108de439c08551d
            2258201e52ed75701163f7f9e40ddf9f341b3dc9ba860af7e0ca7ca7e9eecd0084d19c
            """
        #expect(try key().thumbprintInput() == bytes(input))
        let thumbprint = try bytes("496bd8afadf307e5b08c64b0421bf9dc01528a344a43bda88fadd1669da253ec")
        #expect(try key().thumbprint() == thumbprint)
    }

    @Test func theURIOfSection56IsMade() throws {
        let uri = "urn:ietf:params:oauth:ckt:sha-256:SWvYr63zB-WwjGSwQhv53AFSijRKQ72oj63RZp2iU-w"
        #expect(try key().thumbprintURI() == uri)
    }

    @Test func aCompressedKeyHasTheSameThumbprint() throws {
        let compressed = try COSEKey(publicKey: key().publicKey(), compressed: true)
        #expect(try compressed.thumbprint() == key().thumbprint())
        #expect(try compressed.encoded() != key().encoded())
    }
}
