import CryptoCore
import TestSupport
import Testing

@Suite(.enabled(if: VectorSet("mdoc").isAvailable, VectorSet.absence))
struct HPKEVectorTests {
    static let files = VectorSet("mdoc").files(withExtension: "json").filter { $0.path.hasPrefix("hpke") }

    @Test func thereAreFiles() {
        #expect(!Self.files.isEmpty)
    }

    @Test(arguments: files)
    func file(_ file: VectorFile) throws {
        let vectors = try file.decode(HPKEVectors.self).vectors
        for vector in vectors {
            let suite = try vector.suite()
            let key = try PrivateKey(curve: suite.kem.curve, rawRepresentation: vector.skRm.bytes)
            #expect(key.publicKey.x963Representation ?? key.publicKey.rawRepresentation == vector.pkRm.bytes)
            var recipient = try HPKE.Recipient(
                suite: suite,
                encapsulatedKey: vector.enc.bytes,
                privateKey: key,
                info: vector.info.bytes
            )
            let opened = try recipient.open(vector.ct.bytes, additionalData: vector.aad.bytes)
            #expect(opened == vector.pt.bytes, "\(vector.id)")
        }
        file.report(ran: vectors.count)
    }
}

/// The form of the files `mdoc/hpke*.json`: first messages of contexts.
private struct HPKEVectors: Decodable {
    let vectors: [Vector]

    struct Vector: Decodable {
        let id: String
        let kemId: UInt16
        let kdfId: UInt16
        let aeadId: UInt16
        let info: HexBytes
        let enc: HexBytes
        let skRm: HexBytes
        let pkRm: HexBytes
        let aad: HexBytes
        let pt: HexBytes
        let ct: HexBytes

        func suite() throws -> HPKE.CipherSuite {
            HPKE.CipherSuite(
                kem: try #require(HPKE.KEM(identifier: kemId)),
                kdf: try #require(HPKE.KDF(identifier: kdfId)),
                aead: try #require(HPKE.AEAD(identifier: aeadId))
            )
        }
    }
}
