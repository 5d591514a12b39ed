import COSEKit
import TestSupport
import Testing

/// A file of keys with their thumbprints.
struct ThumbprintVectors: Decodable {
    struct Case: Decodable {
        let key: HexBytes
        let input: HexBytes
        let sha256: HexBytes

        enum CodingKeys: String, CodingKey {
            case key = "cose_key_hex"
            case input = "thumbprint_input_hex"
            case sha256 = "sha256_hex"
        }
    }

    let tests: [Case]

    func run(_ file: VectorFile) throws {
        for test in tests {
            let key = try COSEKey(decoding: test.key.bytes)
            #expect(try key.thumbprintInput() == test.input.bytes)
            #expect(try key.thumbprint() == test.sha256.bytes)
            #expect(key.encoded() == test.key.bytes)
        }
        file.report(ran: tests.count)
    }
}
