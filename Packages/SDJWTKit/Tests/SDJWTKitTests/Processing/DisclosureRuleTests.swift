import JOSEKit
import JSONKit
import SDJWTKit
import Testing

/// The rules of RFC 9901, section 7.1, steps 3 to 5.
@Suite struct DisclosureRuleTests {
    private let scene: Scene

    init() throws {
        scene = try Scene()
    }

    private func processed(_ payload: JSONValue, _ disclosures: JSONValue...) async throws -> JSONObject {
        let text = try await assemble(payload, disclosures, signer: scene.issuer)
        return try SDJWT(compact: text).unverifiedPayload().claims
    }

    private let name: JSONValue = [salt, "given_name", "Ada"]
    private let element: JSONValue = [salt, "FR"]

    @Test func putsClaimsInThePlaceOfTheirDigests() async throws {
        let claims = try await processed(
            ["a": 1, "_sd": [digest(name)], "list": ["x", ["...": digest(element)], "y"], "_sd_alg": "sha-256"],
            name,
            element
        )
        #expect(claims == ["a": 1, "list": ["x", "FR", "y"], "given_name": "Ada"])
    }

    @Test func leavesOutWhatIsWithheld() async throws {
        let claims = try await processed([
            "_sd": [digest(name)], "o": ["_sd": [digest(element)]], "l": [["...": "x"], 1],
        ])
        #expect(claims == ["o": [:], "l": [1]])
    }

    @Test func processesWhatIsInsideDisclosures() async throws {
        let inner: JSONValue = [salt, "street", "Heidestraße"]
        let innerElement: JSONValue = [salt, ["deep": true]]
        let outer: JSONValue = [salt, "address", ["_sd": [digest(inner)], "list": [["...": digest(innerElement)]]]]
        let payload: JSONValue = ["_sd": [digest(outer)]]
        let all = try await processed(payload, outer, inner, innerElement)
        #expect(all == ["address": ["street": "Heidestraße", "list": [["deep": true]]]])
        let some = try await processed(payload, outer)
        #expect(some == ["address": ["list": []]])
        await expectRefusal(.unreferencedDisclosure) { try await processed(payload, inner) }
    }

    @Test func keepsAMemberWithTheNameOfTheHashFunctionBelowTheTop() async throws {
        #expect(try await processed(["a": ["_sd_alg": "x"], "_sd_alg": "sha-256"]) == ["a": ["_sd_alg": "x"]])
    }

    @Test func refusesDuplicates() async {
        let same: JSONValue = [salt, "given_name", "Bob"]
        await expectRefusal(.duplicateDisclosure) { try await processed(["_sd": [digest(name)]], name, name) }
        await expectRefusal(.duplicateDigest) { try await processed(["_sd": [digest(name), digest(name)]], name) }
        await expectRefusal(.duplicateDigest) { try await processed(["_sd": [digest(name), digest(name)]]) }
        await expectRefusal(.duplicateDigest) {
            try await processed(["_sd": [digest(element)], "a": [["...": digest(element)]]])
        }
        await expectRefusal(.duplicateDigest) {
            let outer: JSONValue = [salt, "outer", ["_sd": ["decoy"]]]
            return try await processed(["_sd": [digest(outer), "decoy"]], outer)
        }
        await expectRefusal(.duplicateClaim) { try await processed(["given_name": 1, "_sd": [digest(name)]], name) }
        await expectRefusal(.duplicateClaim) { try await processed(["_sd": [digest(name), digest(same)]], name, same) }
    }

    @Test func namesInDifferentObjectsDoNotCollide() async throws {
        let claims = try await processed(["given_name": 1, "o": ["_sd": [digest(name)]]], name)
        #expect(claims == ["given_name": 1, "o": ["given_name": "Ada"]])
    }

    @Test func findsCollisionsAmongManyNames() async {
        let members = (0..<100).map { ("claim\($0)", JSONValue.integer($0)) }
        let late: JSONValue = [salt, "claim77", 1]
        await expectRefusal(.duplicateClaim) {
            try await processed(.object(JSONObject(members + [("_sd", [digest(late)])])), late)
        }
    }

    @Test func refusesDisclosuresOfTheOtherKind() async {
        await expectRefusal(.wrongDisclosureKind) { try await processed(["_sd": [digest(element)]], element) }
        await expectRefusal(.wrongDisclosureKind) { try await processed(["a": [["...": digest(name)]]], name) }
    }

    @Test(arguments: ["_sd", "..."])
    func refusesReservedNames(reserved: String) async {
        let disclosure: JSONValue = [salt, .string(reserved), ["a"]]
        await expectRefusal(.reservedClaimName) { try await processed(["_sd": [digest(disclosure)]], disclosure) }
    }

    @Test(
        arguments: [
            ["_sd": "x"], ["_sd": ["a": 1]], ["_sd": [1]], ["_sd": nil], ["a": ["_sd": 1]], ["a": [["_sd": [[]]]]],
            ["a": [["...": 1]]], ["a": [["...": "x", "b": 1]]], ["...": "x"], ["a": ["...": "x"]],
            ["a": [[["...": nil]]]],
        ] as [JSONValue]
    )
    func refusesMalformedDigests(payload: JSONValue) async {
        await expectRefusal(.malformedDigest) { try await processed(payload) }
    }

    @Test func refusesADigestWhereADisclosedElementShouldBe() async {
        let outer: JSONValue = [salt, ["...": digest(element)]]
        await expectRefusal(.malformedDigest) { try await processed(["a": [["...": digest(outer)]]], outer, element) }
    }

    @Test(arguments: ["sha-1", "SHA-256", "md5", ""] as [JSONValue] + [1, nil])
    func refusesUnknownHashFunctions(algorithm: JSONValue) async {
        await expectRefusal(.unsupportedHashAlgorithm) { try await processed(["_sd_alg": algorithm]) }
    }

    @Test func hashFunctionsOfTheRegistry() async throws {
        for (algorithm, hash) in [("sha-384", SDHashAlgorithm.sha384), ("sha-512", .sha512)] {
            let function = try #require(hash.hash)
            let payload: JSONValue = ["_sd_alg": .string(algorithm), "_sd": [digest(name, function)]]
            #expect(try await processed(payload, name) == ["given_name": "Ada"])
            await expectRefusal(.unreferencedDisclosure) {
                try await processed(["_sd_alg": .string(algorithm), "_sd": [digest(name)]], name)
            }
        }
    }

    @Test func limitsDepthOfTheProcessedPayload() async throws {
        func nested(_ levels: Int) async throws -> String {
            var disclosures: [JSONValue] = []
            var value: JSONValue = 1
            for _ in 0..<levels {
                disclosures.append([salt, "a", value])
                value = ["_sd": [digest(disclosures[disclosures.count - 1])]]
            }
            return try await assemble(value, disclosures, signer: scene.issuer)
        }
        var limits = SDJWTLimits.default
        limits.depth = 8
        _ = try SDJWT(compact: try await nested(8), limits: limits).unverifiedPayload()
        let deeper = try await nested(9)
        expectRefusal(.limitExceeded) { try SDJWT(compact: deeper, limits: limits).unverifiedPayload() }
        _ = try SDJWT(compact: try await nested(64)).unverifiedPayload()
    }

    @Test func limitsDepthOfWhatHidesNothing() async throws {
        var limits = SDJWTLimits.default
        limits.depth = 8
        func read(_ levels: Int) async throws -> SDJWTPayload {
            let value = (0..<levels).reduce(1 as JSONValue) { value, level in level % 2 == 0 ? [value] : ["a": value] }
            let disclosure: JSONValue = [salt, "claim", value]
            let payload: JSONValue = ["o": ["_sd": [digest(disclosure)]]]
            let text = try await assemble(payload, [disclosure], signer: scene.issuer)
            return try SDJWT(compact: text, limits: limits).unverifiedPayload()
        }
        // The payload and "o" are two levels themselves.
        for levels in 0...6 { _ = try await read(levels) }
        for levels in 7...8 { await expectRefusal(.limitExceeded) { try await read(levels) } }
    }

    @Test func tellsWhichClaimsWereDisclosed() async throws {
        let inner: JSONValue = [salt, "street", "x"]
        let outer: JSONValue = [salt, "address", ["country": "DE", "_sd": [digest(inner)]]]
        let hidden: JSONValue = [salt, "NL"]
        let text = try await assemble(
            ["iss": "i", "_sd": [digest(outer)], "list": [["...": "withheld"], "DE", ["...": digest(hidden)]]],
            [outer, inner, hidden],
            signer: scene.issuer
        )
        let payload = try SDJWT(compact: text).unverifiedPayload()
        #expect(Set(payload.disclosedClaims) == [["address"], ["address", "street"], ["list", 1]])
        #expect(payload["list"] == ["DE", "NL"])
        #expect(try payload.values(at: ["address", "street"]) == ["x"])
    }
}
