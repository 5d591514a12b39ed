import IdemixCore
import Testing

@testable import IdemixKeyProofs

/// Texts that are no proofs, refused at once.
@Suite struct ProofReaderTests {
    private struct Failure: Error {}

    /// Replaces the first occurrence of a text in a proof.
    private func altered(_ old: String, _ new: String) async throws -> [UInt8] {
        let text = String(decoding: ToyKey.text(try await ToyKey.proof.value), as: UTF8.self)
        let range = try #require(text.firstRange(of: old))
        return Array((text[..<range.lowerBound] + new + text[range.upperBound...]).utf8)
    }

    private func code(_ text: [UInt8]) -> IdemixError.Code? {
        let error = #expect(throws: IdemixError.self) { try ToyKey.read(text) }
        return error?.code
    }

    @Test(arguments: [
        // Another name, a second time, one too many, one too few.
        (#""PProof":"#, #""Pproof":"#), (#""QProof":"#, #""PProof":"#), (#"{"PProof":"#, #"{"more":1,"PProof":"#),
        (#""Hider":{"#, #""Hider":{"Name":"x","#), (#""Sresult""#, #""Commit""#),
        // Other values.
        (#"{"Commit":""#, #"{"Commit":[""#), (#"{"Commit":""#, #"{"Commit":nul""#), (#""PProof":{"#, #""PProof":[{"#),
        (#"{"Commit":"#, #"{"Commit":7,"x":"#), (#"{"PProof""#, #"["PProof""#), (#""Commit":"#, #""Commit""#),
        // The names of secrets.
        ("pprime_primeproof_prea_hider", "pprime_primeproof_prea_Hider"), ("_base_0\"", "_base_1\""),
        // Escapes and control characters.
        ("PProof", #"\u0050Proof"#), ("PProof", "PPro\nof"),
    ])
    func refusesOtherStructures(old: String, new: String) async throws {
        #expect(code(try await altered(old, new)) == .malformedJSON)
    }

    @Test func refusesArraysOfOtherLengths() async throws {
        let proof = try await ToyKey.proof.value
        let alterations: [(inout KeyProof) -> Void] = [
            { $0.modulus.squareFree.append(1) }, { $0.modulus.responses.removeLast() },
            { $0.pPrimePrimality.exponentiation.bits.removeLast() },
            { $0.squares.roots.append($0.squares.roots[0]) },
            { $0.pPrimePrimality.shareInterval.values = NumberRow() },
        ]
        for alter in alterations {
            var altered = proof
            alter(&altered)
            #expect(code(ToyKey.text(altered)) == .malformedJSON)
        }
    }

    @Test(arguments: [
        // No base64, without padding, of another alphabet.
        ("?", IdemixError.Code.invalidNumber), ("AAA", .invalidNumber), ("AA_-", .invalidNumber),
        // Longer than 256 bits: by two bytes, by a few bits, by far.
        (String(repeating: "A", count: 48), .limitExceeded), (String(repeating: "/", count: 44), .outOfRange),
        (String(repeating: "A", count: 100_000), .limitExceeded),
    ])
    func refusesOtherNumbers(number: String, code expected: IdemixError.Code) async throws {
        var proof = try await ToyKey.proof.value
        proof.challenge = 0
        let text = String(decoding: ToyKey.text(proof), as: UTF8.self)
        let altered = text.replacing(#""Challenge":"""#, with: #""Challenge":"\#(number)""#, maxReplacements: 1)
        let error = #expect(throws: IdemixError.self) { try ToyKey.read(Array(altered.utf8)) }
        #expect(error?.code == expected)
        #expect(error?.path == ["Challenge"])
    }

    @Test func refusesTruncationAndWhatFollows() async throws {
        let text = ToyKey.text(try await ToyKey.proof.value)
        for count in [0, 1, 9, 10_000, text.count / 2, text.count - 2] {
            #expect(code(Array(text[..<count])) == .malformedJSON)
        }
        #expect(code(text + [UInt8(ascii: "{")]) == .malformedJSON)
    }

    @Test func readsMembersInAnyOrderAndWhiteSpace() async throws {
        let text = try await altered(#""Sresult":{"Result":"#, " \"Sresult\" : {\n\t\"Result\" :\r")
        _ = try ToyKey.read(text)
        let whole = String(decoding: ToyKey.text(try await ToyKey.proof.value), as: UTF8.self)
        let member = try #require(whole.firstMatch(of: #/"Challenge":"[^"]*",/#))
        let moved = whole.replacing(member.0, with: "").replacing(
            "{\"PProof\"",
            with: "{\(member.0)\"PProof\"",
            maxReplacements: 1
        )
        #expect(ToyKey.text(try ToyKey.read(Array(moved.utf8))) == Array(whole.utf8))
    }

    @Test func readsSinglePieces() throws {
        var pieces: [[UInt8]] = ["{", "\"Re", "sult\"", ":", "\"B", "Q==", "\"}"].map { Array($0.utf8) }
        var reader = ProofReader { pieces.isEmpty ? [] : pieces.removeFirst() }
        #expect(try reader.result(bits: 8) == 5)
        try reader.end()
    }

    @Test func reportsAFailingSource() throws {
        let error = #expect(throws: IdemixError.self) {
            try KeyProof(for: ToyKey.statement()) { throw Failure() }
        }
        #expect(error?.code == .sourceFailed)
        #expect(error?.cause is Failure)
    }

    @Test func handsOnTheFailureOfASink() async throws {
        let proof = try await ToyKey.proof.value
        #expect(throws: Failure.self) {
            try proof.write { (_: [UInt8]) throws(Failure) in throw Failure() }
        }
    }
}
