import CryptoCore
import JOSEKit
import JSONKit
import SDJWTKit
import Testing

/// OpenID4VP 1.0, section B.3.3.
@Suite struct TransactionDataTests {
    private let scene: Scene
    private let entries = ["eyJ0eXBlIjoicGF5bWVudCJ9", "eyJ0eXBlIjoic2lnbmF0dXJlIn0"]

    init() throws {
        scene = try Scene()
    }

    private func verification(
        _ authorized: TransactionData?,
        asked: [String],
        algorithms: Set<SDHashAlgorithm>? = nil,
        claims: JSONObject = [:]
    ) async throws -> Verification<VerifiedSDJWT> {
        var keyBinding = scene.keyBinding
        keyBinding.transactionData = authorized
        keyBinding.additionalClaims = claims
        var expectation = scene.expectation
        expectation.transactionData = asked
        expectation.transactionDataHashAlgorithms = algorithms
        return scene.verify(try await scene.presentation(keyBinding: keyBinding), .keyBinding(expectation))
    }

    @Test func theHolderAuthorizesWhatWasAskedFor() async throws {
        let verified = try await verification(TransactionData(entries), asked: entries).get()
        let hashes = entries.map { Base64URL.encode(HashAlgorithm.sha256.digest(of: Array($0.utf8))) }
        #expect(verified.keyBinding?.claims["transaction_data_hashes"] == .array(hashes.map { .string($0) }))
        #expect(verified.keyBinding?.claims["transaction_data_hashes_alg"] == nil)
    }

    @Test(arguments: [SDHashAlgorithm.sha256, .sha384, .sha512])
    func namedHashFunctions(algorithm: SDHashAlgorithm) async throws {
        let data = TransactionData(entries, hashAlgorithm: algorithm)
        let verified = try await verification(data, asked: entries, algorithms: SDHashAlgorithm.supported).get()
        #expect(verified.keyBinding?.claims["transaction_data_hashes_alg"] == .string(algorithm.rawValue))
        try await verification(data, asked: entries, algorithms: SDHashAlgorithm.supported.subtracting([algorithm]))
            .expectRefusal(.transactionData, .transactionDataMismatch)
    }

    /// The name is required where the request has a list of hash functions, even one with SHA-256.
    @Test func refusesAMissingNameOfTheHashFunction() async throws {
        for algorithms in [SDHashAlgorithm.supported, [.sha256]] {
            try await verification(TransactionData(entries), asked: entries, algorithms: algorithms)
                .expectRefusal(.transactionData, .transactionDataMismatch)
            let named = TransactionData(entries, hashAlgorithm: .sha256)
            #expect(try await verification(named, asked: entries, algorithms: algorithms).verified != nil)
        }
    }

    @Test func refusesOtherTransactions() async throws {
        let data = TransactionData(entries)
        for (authorized, asked) in [
            (nil, entries), (data, []), (data, [entries[0]]), (TransactionData([entries[0]]), entries),
            (data, entries + ["x"]), (TransactionData([entries[0], entries[0]]), entries),
            (TransactionData(entries + [entries[0]]), entries),
            (TransactionData([entries[0], entries[1], entries[1]]), [entries[0], entries[0], entries[1]]),
        ] {
            try await verification(authorized, asked: asked).expectRefusal(.transactionData, .transactionDataMismatch)
        }
    }

    @Test func hashesInAnyOrder() async throws {
        let data = TransactionData(entries.reversed())
        #expect(try await verification(data, asked: entries).refusal == nil)
    }

    @Test func refusesHashFunctionsThatWereNotAllowed() async throws {
        let named = TransactionData(entries, hashAlgorithm: .sha512)
        try await verification(named, asked: entries).expectRefusal(.transactionData, .transactionDataMismatch)
        try await verification(TransactionData(entries), asked: entries, algorithms: [.sha512])
            .expectRefusal(.transactionData, .transactionDataMismatch)
    }

    @Test(
        arguments: [
            ["transaction_data_hashes": "x"], ["transaction_data_hashes": [1, 2]],
            ["transaction_data_hashes": [], "transaction_data_hashes_alg": 1],
            ["transaction_data_hashes_alg": "sha-256"],
        ] as [JSONObject]
    )
    func refusesMalformedClaims(claims: JSONObject) async throws {
        try await verification(nil, asked: entries, claims: claims)
            .expectRefusal(.transactionData, .transactionDataMismatch)
        try await verification(nil, asked: [], claims: claims)
            .expectRefusal(.transactionData, .transactionDataMismatch)
    }

    @Test func unknownHashFunctionsCannotBeUsed() async {
        await expectRefusal(.unsupportedHashAlgorithm) {
            try await verification(
                TransactionData(entries, hashAlgorithm: SDHashAlgorithm(rawValue: "sha-1")),
                asked: entries
            )
        }
    }
}
