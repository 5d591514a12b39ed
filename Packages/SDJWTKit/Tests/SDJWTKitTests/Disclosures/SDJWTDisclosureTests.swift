import CryptoCore
import JOSEKit
import JSONKit
import SDJWTKit
import TestSupport
import Testing

@Suite struct SDJWTDisclosureTests {
    /// RFC 9901, sections 4.2.1 to 4.2.3.
    @Test func figuresOfTheRFC() throws {
        let member = try SDJWTDisclosure(
            encoded: "WyJfMjZiYzRMVC1hYzZxMktJNmNCVzVlcyIsICJmYW1pbHlfbmFtZSIsICJNw7ZiaXVzIl0"
        )
        #expect(member.salt == "_26bc4LT-ac6q2KI6cBW5es")
        #expect(member.claimName == "family_name")
        #expect(member.value == "Möbius")
        #expect(try member.digest() == "X9yH0Ajrdm1Oij4tWso9UzzKJvPoDxwmuEcO3XAdRC0")

        let element = try SDJWTDisclosure(encoded: "WyJsa2x4RjVqTVlsR1RQVW92TU5JdkNBIiwgIkZSIl0")
        #expect(element.salt == "lklxF5jMYlGTPUovMNIvCA")
        #expect(element.claimName == nil)
        #expect(element.value == "FR")
        #expect(try element.digest() == "w0I8EKcdCtUPkGCNUrfwVp2xEgNjtoIDlOxc9-PlOhs")
    }

    /// RFC 9901, section 4.2.1: different encodings of the same claim.
    @Test(arguments: [
        "WyJfMjZiYzRMVC1hYzZxMktJNmNCVzVlcyIsICJmYW1pbHlfbmFtZSIsICJNw7ZiaXVzIl0",
        "WyJfMjZiYzRMVC1hYzZxMktJNmNCVzVlcyIsICJmYW1pbHlfbmFtZSIsICJNXHUwMGY2Yml1cyJd",
        "WyJfMjZiYzRMVC1hYzZxMktJNmNCVzVlcyIsImZhbWlseV9uYW1lIiwiTcO2Yml1cyJd",
    ])
    func keepsTheReceivedText(text: String) throws {
        let disclosure = try SDJWTDisclosure(encoded: text)
        #expect(disclosure.value == "Möbius")
        #expect(disclosure.encoded == text)
        let expected = Base64URL.encode(HashAlgorithm.sha256.digest(of: Array(text.utf8)))
        #expect(try disclosure.digest() == expected)
    }

    @Test(arguments: [
        #""text""#, #"{"a":1}"#, "[]", #"["salt"]"#, #"["salt","a",1,2]"#, #"[1,"a",1]"#, #"["salt",1,1]"#,
        #"[null,"x"]"#, #"["salt","a",1"#, #"["salt","a",{"b":1,"b":2}]"#, #"["salt","a",01]"#, "",
    ])
    func refusesOtherContents(json: String) {
        let text = Base64URL.encode(Array(json.utf8))
        expectRefusal(.malformedDisclosure) { try SDJWTDisclosure(encoded: text) }
    }

    @Test(arguments: ["WyJzIiwgMV0=", "WyJzIiwg MV0", "WyJzIiwgMV1", "WyJz+iwgMV0", "Wy", "W", "WyJz\u{e9}"])
    func refusesWhatIsNotBase64URL(text: String) {
        expectRefusal(.malformedDisclosure) { try SDJWTDisclosure(encoded: text) }
    }

    @Test func limitsDepthAndSize() throws {
        func text(_ depth: Int) -> String {
            let value = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            return Base64URL.encode(Array(#"["salt","a",\#(value)]"#.utf8))
        }
        var limits = SDJWTLimits.default
        limits.depth = 5
        _ = try SDJWTDisclosure(encoded: text(5), limits: limits)
        expectRefusal(.limitExceeded) { try SDJWTDisclosure(encoded: text(6), limits: limits) }
        expectRefusal(.limitExceeded) { try SDJWTDisclosure(encoded: text(100_000)) }
        limits.size = text(5).utf8.count
        _ = try SDJWTDisclosure(encoded: text(5), limits: limits)
        limits.size -= 1
        expectRefusal(.limitExceeded) { try SDJWTDisclosure(encoded: text(5), limits: limits) }
    }

    @Test func isMadeWithAFreshSalt() throws {
        let one = try SDJWTDisclosure(name: "a", value: [1, ["b": nil]])
        let other = try SDJWTDisclosure(name: "a", value: [1, ["b": nil]])
        #expect(one.value == [1, ["b": nil]])
        #expect(one.salt != other.salt)
        #expect(one != other)
        #expect(try Base64URL.decode(one.salt).count == 16)
        #expect(try SDJWTDisclosure(encoded: one.encoded) == one)
        #expect(try SDJWTDisclosure(element: "FR", saltSize: 32).salt.utf8.count == 43)
        let repeated = try SDJWTDisclosure(element: "FR", using: Scene.random(9))
        #expect(try SDJWTDisclosure(element: "FR", using: Scene.random(9)) == repeated)
    }

    @Test func refusesReservedNamesAndShortSalts() {
        expectRefusal(.reservedClaimName) { try SDJWTDisclosure(name: "_sd", value: 1) }
        expectRefusal(.reservedClaimName) { try SDJWTDisclosure(name: "...", value: 1) }
        expectRefusal(.invalidValue) { try SDJWTDisclosure(name: "a", value: 1, saltSize: 15) }
    }

    @Test func hashFunctions() throws {
        let disclosure = try SDJWTDisclosure(encoded: "WyJsa2x4RjVqTVlsR1RQVW92TU5JdkNBIiwgIkZSIl0")
        #expect(try disclosure.digest(.sha384).utf8.count == 64)
        #expect(try disclosure.digest(.sha512).utf8.count == 86)
        for name in ["sha-1", "SHA-256", "sha3-256", "sha-256-128", ""] {
            expectRefusal(.unsupportedHashAlgorithm) { try disclosure.digest(SDHashAlgorithm(rawValue: name)) }
        }
    }
}
