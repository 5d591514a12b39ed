import CryptoCore
import Foundation
import SDJWTKit
import Testing

@Suite struct IntegrityMetadataTests {
    private let document = Array("{}".utf8)

    private func expression(_ name: String, _ hash: HashAlgorithm, of bytes: [UInt8]) -> String {
        "\(name)-\(Data(hash.digest(of: bytes)).base64EncodedString())"
    }

    @Test(arguments: [("sha256", HashAlgorithm.sha256), ("sha384", .sha384), ("sha512", .sha512)])
    func functions(name: String, hash: HashAlgorithm) throws {
        let text = expression(name, hash, of: document)
        try IntegrityMetadata(text).requireMatch(of: document)
        try IntegrityMetadata(text + "?option").requireMatch(of: document)
        try IntegrityMetadata(text.filter { $0 != "=" }).requireMatch(of: document)
        let urlSafe = text.prefix(7) + text.dropFirst(7).replacing("+", with: "-").replacing("/", with: "_")
        try IntegrityMetadata(String(urlSafe)).requireMatch(of: document)
        expectRefusal(.integrityMismatch) { try IntegrityMetadata(text).requireMatch(of: document + [0x0a]) }
    }

    @Test func theStrongestFunctionDecides() throws {
        let (weak, strong) = (expression("sha256", .sha256, of: document), expression("sha512", .sha512, of: document))
        let wrong = expression("sha512", .sha512, of: [])
        try IntegrityMetadata("\(weak) \(strong)").requireMatch(of: document)
        try IntegrityMetadata("\(wrong)\n\t\(strong)").requireMatch(of: document)
        try IntegrityMetadata("\(expression("sha256", .sha256, of: [])) \(strong)").requireMatch(of: document)
        expectRefusal(.integrityMismatch) { try IntegrityMetadata("\(weak) \(wrong)").requireMatch(of: document) }
        try IntegrityMetadata("sha3-x md5-y \(weak)").requireMatch(of: document)
        // The strongest function named decides, even with a malformed digest.
        expectRefusal(.integrityMismatch) { try IntegrityMetadata("\(weak) sha512-AAAA").requireMatch(of: document) }
    }

    /// A carriage return with a line feed is one character, and two bytes of white space.
    @Test(arguments: ["\r\n", "\r", "\u{0c}", "\n\r\n", " \r\n\t"])
    func anyWhiteSpaceSeparates(space: String) throws {
        let (weak, strong) = (expression("sha256", .sha256, of: []), expression("sha512", .sha512, of: document))
        try IntegrityMetadata("\(weak)\(space)\(strong)\(space)").requireMatch(of: document)
        let wrong = expression("sha512", .sha512, of: [])
        let known = expression("sha256", .sha256, of: document)
        expectRefusal(.integrityMismatch) {
            try IntegrityMetadata("\(known)\(space)\(wrong)").requireMatch(of: document)
        }
    }

    /// An accent joins the character before it, and is no part of the name of a function.
    @Test func charactersAreComparedByTheirBytes() throws {
        let known = expression("sha256", .sha256, of: document)
        expectRefusal(.integrityMismatch) { try IntegrityMetadata("\u{301}" + known).requireMatch(of: document) }
        try IntegrityMetadata("x?\u{301} \(known)?\u{301}").requireMatch(of: document)
    }

    @Test(arguments: [
        "", " ", "sha256", "sha256-", "sha256-AAAA", "sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=", "SHA256-x", "sha256-*",
        "sha512-RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o=",
    ])
    func otherTextsStandForNoDocument(text: String) {
        #expect(IntegrityMetadata(text).text == text)
        for document in [document, []] {
            expectRefusal(.integrityMismatch) { try IntegrityMetadata(text).requireMatch(of: document) }
        }
    }

    /// Integrity metadata match their document and no other, with every character of the alphabet in the digests.
    @Test(arguments: [(HashAlgorithm.sha256, "sha256", 44), (.sha384, "sha384", 64), (.sha512, "sha512", 88)])
    func anIssuerMakesThem(hash: HashAlgorithm, name: String, length: Int) throws {
        for byte in UInt8.min...UInt8.max {
            let document = [byte]
            let made = try IntegrityMetadata(of: document, hash: hash)
            #expect(made.text == "\(name)-\(Data(hash.digest(of: document)).base64EncodedString())")
            #expect(made.text.utf8.count == name.utf8.count + 1 + length)
            #expect(made == IntegrityMetadata(made.text))
            try made.requireMatch(of: document)
            expectRefusal(.integrityMismatch) { try made.requireMatch(of: [byte, 0]) }
        }
        #expect(try IntegrityMetadata(of: [1]).text.hasPrefix("sha256-"))
    }

    @Test func otherHashFunctionsMakeNone() {
        expectRefusal(.unsupportedHashAlgorithm) { try IntegrityMetadata(of: [1], hash: .sha1) }
    }
}
