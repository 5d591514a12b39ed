import JSONKit
import SDJWTKit
import Testing

/// Disclosed and open values are distinguished everywhere.
@Suite struct ClaimTraceTests {
    private let scene: Scene

    init() throws {
        scene = try Scene()
    }

    private func read(_ payload: JSONValue, _ disclosures: [JSONValue]) async throws -> SDJWT {
        try SDJWT(compact: try await assemble(payload, disclosures, signer: scene.issuer))
    }

    @Test func whatFollowsAHiddenValueIsFoundAfterAll() async throws {
        let street: JSONValue = [salt, "street", "x"]
        let country: JSONValue = [salt, "DE"]
        let address: JSONValue = [salt, "address", ["city": ["name": "Köln"], "_sd": [digest(street)]]]
        let late: JSONValue = [salt, "late", ["a": [1, ["b": 2]]]]
        let payload: JSONValue = [
            "open": ["deep": [["er": 1]]],
            "list": ["a", ["...": "withheld"], ["...": digest(country)], ["x": [["...": "other"]]], []],
            "_sd": [digest(address), "decoy", digest(late)],
            "_sd_alg": "sha-256",
            "last": 1,
        ]
        let sdJWT = try await read(payload, [late, address, country, street])
        let processed = try sdJWT.unverifiedPayload()
        #expect(
            processed.claims == [
                "open": ["deep": [["er": 1]]], "list": ["a", "DE", ["x": []], []], "last": 1,
                "address": ["city": ["name": "Köln"], "street": "x"], "late": ["a": [1, ["b": 2]]],
            ]
        )
        #expect(processed.disclosedClaims == [["list", 1], ["address"], ["address", "street"], ["late"]])
        for (path, places) in [
            (["open"], []), (["list"], [2]), (["list", 1], [2]), (["last"], []), (["address", "city"], [1, 3]),
            (["address", "street"], [1, 3]), (["late", "a", 1, "b"], [0]), (["list", nil], [2]),
        ] as [(ClaimPath, [Int])] {
            let presentation = try sdJWT.presentation(disclosing: [path])
            let expected = path == ["address", "city"] ? [1] : places
            #expect(presentation.disclosures == expected.map { sdJWT.disclosures[$0] }, "\(path)")
        }
        // The path by which a payload tells of a claim selects it, whatever decoys stand before it.
        let listed = try sdJWT.presentation(disclosing: [["list", 1]])
        #expect(try listed.unverifiedPayload()["list"]?[1] == "DE")
        expectRefusal(.claimNotFound) { try sdJWT.presentation(disclosing: [["list", 4]]) }
    }

    @Test func aDisclosedNameOfTheHashFunctionIsLeftOutToo() async throws {
        let inner: JSONValue = [salt, "inner", 1]
        let name: JSONValue = [salt, "_sd_alg", ["_sd": [digest(inner)], "a": 1]]
        let after: JSONValue = [salt, "after", 2]
        let sdJWT = try await read(["_sd": [digest(name), digest(after)]], [name, inner, after])
        let processed = try sdJWT.unverifiedPayload()
        #expect(processed.claims == ["after": 2])
        #expect(processed.disclosedClaims == [["after"]])
        #expect(try sdJWT.presentation(disclosing: [["after"]]).disclosures == [sdJWT.disclosures[2]])
    }

    @Test func partsOfADisclosureAreReadEachTime() async throws {
        let sdJWT = try await read([:], [[salt, "n\u{e9}\n", ["a": [1]]], [salt, "x"]].map { $0 as JSONValue })
        for _ in 0..<2 {
            #expect(sdJWT.disclosures.map(\.claimName) == ["n\u{e9}\n", nil])
            #expect(sdJWT.disclosures.map(\.value) == [["a": [1]], "x"])
            #expect(sdJWT.disclosures.map { .string($0.salt) } == [salt, salt])
        }
    }
}
