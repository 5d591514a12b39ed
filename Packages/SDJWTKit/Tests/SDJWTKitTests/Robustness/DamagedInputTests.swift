import JSONKit
import SDJWTKit
import TestSupport
import Testing

@Suite struct DamagedInputTests {
    private let scene: Scene

    init() throws {
        scene = try Scene()
    }

    /// Reads and verifies whatever comes.
    private func isVerified(_ text: [UInt8]) -> Bool {
        if let sdJWT = try? SDJWT(compact: text) {
            if let payload = try? sdJWT.unverifiedPayload() { _ = payload.disclosedClaims }
            return scene.verify(sdJWT).verified != nil
        }
        if let sdJWT = try? SDJWT(json: text) { return scene.verify(sdJWT).verified != nil }
        return false
    }

    @Test func noPrefixIsVerified() async throws {
        let text = Array(try await scene.presentation().compactSerialization().utf8)
        for count in 0..<text.count { #expect(!isVerified(Array(text[..<count]))) }
        #expect(isVerified(text))
    }

    @Test func noFlippedBitIsVerified() async throws {
        let text = Array(try await scene.presentation(of: []).compactSerialization().utf8)
        for index in text.indices {
            var damaged = text
            damaged[index] ^= 1 << UInt8(index % 7)
            #expect(!isVerified(damaged), "byte \(index)")
        }
    }

    @Test func damagedInputsAreRefused() async throws {
        let presentation = try await scene.presentation()
        let inputs = [
            Array(try presentation.compactSerialization().utf8), try presentation.flattenedSerialization(),
            try presentation.generalSerialization(),
        ]
        var mutator = Mutator(seed: 20_261_121)
        for round in 0..<3000 {
            let input = inputs[round % inputs.count]
            let damaged = mutator.mutate(input)
            // An input that still verifies has the same meaning: an edit may have touched only white space or names of
            // the JSON form.
            if isVerified(damaged), round % inputs.count == 0 { #expect(damaged == input) }
        }
    }

    @Test func damagedDisclosuresAndMetadataAreRead() async throws {
        var mutator = Mutator(seed: 7)
        let disclosure = Array(#"["2GLC42sKQveCfGfryNRN9w", "address", {"_sd": ["x"], "l": [{"...": "y"}]}]"#.utf8)
        let document = Array(
            #"{"vct":"t","claims":[{"path":["a",null,1],"sd":"always","display":[{"locale":"en","label":"x"}]}]}"#.utf8
        )
        for _ in 0..<3000 {
            let text = JSONBase64.base64url.encode(mutator.mutate(disclosure))
            if let read = try? SDJWTDisclosure(encoded: text) { #expect(read.encoded == text) }
            _ = try? TypeMetadataDocument(decoding: mutator.mutate(document))
        }
    }

    @Test func manyDisclosuresAreProcessedInReasonableTime() async throws {
        var builder = SDJWTBuilder(claims: JSONObject((0..<1000).map { ("claim\($0)", .integer($0)) }))
        for index in 0..<1000 { try builder.conceal([.name("claim\(index)")]) }
        try builder.addDecoys(1000)
        let sdJWT = try await builder.sign(with: scene.issuer)
        let read = try SDJWT(compact: try sdJWT.compactSerialization())
        #expect(try read.unverifiedPayload().claims.count == 1000)
    }

    @Test func deepPayloadsFitTheStack() async throws {
        var value: JSONValue = 1
        for _ in 0..<SDJWTLimits.maximumDepth - 1 { value = [value] }
        let text = try await assemble(["a": value], signer: scene.issuer)
        var limits = SDJWTLimits.default
        limits.depth = 1000
        #expect(try SDJWT(compact: text, limits: limits).unverifiedPayload().claims.count == 1)
        let deeper = try await assemble(["a": [value]], signer: scene.issuer)
        expectRefusal(.limitExceeded) { try SDJWT(compact: deeper, limits: limits).unverifiedPayload() }
    }
}
