import CryptoCore
import JOSEKit
import JSONKit
import SDJWTKit
import TestSupport
import Testing

/// Digests stand for Disclosures by their text, however many there are.
@Suite struct DigestMatchingTests {
    private let scene: Scene

    init() throws {
        scene = try Scene()
    }

    private func read(_ payload: String, _ disclosures: [JSONValue] = []) async throws -> SDJWT {
        let jwt = try await JWS.sign(Array(payload.utf8), header: ["typ": "dc+sd-jwt"], with: scene.issuer)
        let texts = disclosures.map { Base64URL.encode($0.encoded()) }
        return try SDJWT(compact: ([try jwt.compactSerialization()] + texts + [""]).joined(separator: "~"))
    }

    private func text(_ digest: JSONValue) throws -> String {
        try #require(digest.stringValue)
    }

    @Test(arguments: [0, 1, 2, 3, 31, 32, 33, 64, 65, 1000])
    func findsEveryoneAmongMany(count: Int) async throws {
        var generator = RepeatableRandomNumberGenerator(seed: UInt64(count))
        let disclosures: [JSONValue] = (0..<count).map { [salt, .string("claim\($0)"), .integer($0)] }
        let order = (0..<count).shuffled(using: &generator)
        let payload: JSONValue = ["_sd": .array(order.map { digest(disclosures[$0]) })]
        let claims = try await read(payload.text(), disclosures).unverifiedPayload().claims
        #expect(claims.names == order.map { "claim\($0)" })
        #expect(claims.values == order.map { .integer($0) })
    }

    @Test func namesTheSecondOfTwoThatAreTheSame() async throws {
        var disclosures: [JSONValue] = (0..<100).map { [salt, .string("claim\($0)"), .integer($0)] }
        disclosures.append(disclosures[17])
        let payload: JSONValue = ["_sd": .array(disclosures.map { digest($0) })]
        let sdJWT = try await read(payload.text(), disclosures)
        let error = #expect(throws: SDJWTError.self) { try sdJWT.unverifiedPayload() }
        #expect(error?.code == .duplicateDisclosure)
        #expect(error?.path == ["SD-JWT", "disclosures[100]"])
    }

    @Test func aDigestIsAText() async throws {
        let disclosure: JSONValue = [salt, "given_name", "Ada"]
        let digest = try text(digest(disclosure))
        let last = try #require(digest.last)
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        // The last character has two bits to spare: the next one in the alphabet decodes to the same bytes.
        let next = alphabet[try #require(alphabet.firstIndex(of: last)) + 1]
        let others = [
            digest.dropLast() + String(next), digest.dropLast() + "!", digest + "=", digest + "A", " " + digest,
            String(digest.dropLast()), "", digest.lowercased(), String(repeating: "\u{e9}", count: 21) + "A",
        ]
        for other in others {
            let payload: JSONValue = ["_sd": [.string(String(other))]]
            let sdJWT = try await read(payload.text(), [disclosure])
            expectRefusal(.unreferencedDisclosure) { try sdJWT.unverifiedPayload() }
        }
    }

    @Test func escapesChangeNothing() async throws {
        let member: JSONValue = [salt, "a", 1]
        let element: JSONValue = [salt, 2]
        let hidden = try (text(digest(member)), text(digest(element)))
        func escaped(_ text: String) -> String {
            text.utf8.map { "\\u00" + [UInt8]([$0]).hex }.joined()
        }
        let list = #""l":[{"\#(escaped("..."))":"\#(escaped(hidden.1))"},3]"#
        let payload = #"{"\#(escaped("_sd"))":["\#(escaped(hidden.0))"],\#(list)}"#
        let sdJWT = try await read(payload, [member, element])
        #expect(try sdJWT.unverifiedPayload().claims == ["l": [2, 3], "a": 1])
        let twice = #"{"_sd":["\#(hidden.0)","\#(escaped(hidden.0))"]}"#
        let other = try await read(twice, [member])
        expectRefusal(.duplicateDigest) { try other.unverifiedPayload() }
        let decoys = try await read(#"{"_sd":["x","\u0078"]}"#)
        expectRefusal(.duplicateDigest) { try decoys.unverifiedPayload() }
    }

    @Test(arguments: [0, 1, 47, 48, 49, 100])
    func collisionsOfNamesAreFoundAmongAnyNumber(count: Int) async throws {
        var disclosures: [JSONValue] = (0..<count).map { [salt, .string("claim\($0)"), .integer($0)] }
        disclosures.append([salt, "caf\u{e9}", 1])
        disclosures.append([salt, "cafe\u{301}", 2])
        let payload: JSONValue = ["open": 1, "_sd": .array(disclosures.map { digest($0) })]
        let apart = try await read(payload.text(), disclosures)
        #expect(try apart.unverifiedPayload().claims.count == count + 3)
        for name in ["open", "caf\u{e9}", "claim0"].prefix(count == 0 ? 2 : 3) {
            let more = disclosures + [[salt, .string(name), 3]]
            let payload: JSONValue = ["open": 1, "_sd": .array(more.map { digest($0) })]
            let sdJWT = try await read(payload.text(), more)
            let error = #expect(throws: SDJWTError.self) { try sdJWT.unverifiedPayload() }
            #expect(error?.code == .duplicateClaim)
            #expect(error?.path == ["SD-JWT", "disclosures[\(more.count - 1)]"])
        }
    }
}
