import JSONKit
import SDJWTKit
import Testing

/// A Disclosure with its digest and contents.
struct DisclosureVector {
    let text: String
    let digest: String
    let algorithm: SDHashAlgorithm
    let contents: [JSONValue]

    init(_ value: JSONValue) throws {
        text = try #require(value["disclosure"]?.stringValue)
        digest = try #require(value["digest"]?.stringValue)
        algorithm = SDHashAlgorithm(rawValue: try #require(value["hashAlgorithm"]?.stringValue))
        contents = try #require(value["contents"]?.arrayValue)
    }

    func run() throws {
        let disclosure = try SDJWTDisclosure(encoded: text)
        #expect(try disclosure.digest(algorithm) == digest)
        #expect(.string(disclosure.salt) == contents.first)
        #expect(disclosure.value == contents.last)
        #expect(disclosure.claimName == (contents.count == 3 ? contents[1].stringValue : nil))
    }
}
