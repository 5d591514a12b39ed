import JSONKit

/// The check that a holder authorized the transactions that a verifier asked for, each once and no others (OpenID4VP 1.0,
/// section B.3.3).
///
/// The hashes may have any order: each stands for the entry that it is the hash of.
struct TransactionDataCheck {
    private let expectation: KeyBindingExpectation

    init(_ expectation: KeyBindingExpectation) {
        self.expectation = expectation
    }

    /// Refuses the claims of a Key Binding JWT.
    func check(_ claims: JSONObject) throws(SDJWTError) {
        let hashes = claims[TransactionData.hashesClaim]
        guard !expectation.transactionData.isEmpty else {
            guard hashes == nil, !claims.contains(TransactionData.algorithmClaim) else {
                throw mismatch("the holder authorizes what was not asked for")
            }
            return
        }
        guard let elements = hashes?.arrayValue else { throw mismatch("the holder authorizes nothing") }
        let expected = try TransactionData(expectation.transactionData, hashAlgorithm: try algorithm(claims)).hashes()
        let found = elements.compactMap(\.stringValue)
        guard found.count == elements.count, Self.counts(found) == Self.counts(expected) else {
            throw mismatch("the hashes are not those of the request")
        }
    }

    private static func counts(_ hashes: [String]) -> [ExactText: Int] {
        hashes.reduce(into: [:]) { $0[ExactText($1), default: 0] += 1 }
    }

    private func algorithm(_ claims: JSONObject) throws(SDJWTError) -> SDHashAlgorithm {
        guard let value = claims[TransactionData.algorithmClaim] else {
            guard expectation.transactionDataHashAlgorithms == nil else {
                throw mismatch("the request lists hash functions, and none is named")
            }
            return .sha256
        }
        guard let name = value.stringValue else { throw mismatch("\(TransactionData.algorithmClaim) is no string") }
        let algorithm = SDHashAlgorithm(rawValue: name)
        guard (expectation.transactionDataHashAlgorithms ?? [.sha256]).contains(algorithm) else {
            throw mismatch("the hash function \"\(name)\" was not allowed")
        }
        return algorithm
    }

    private func mismatch(_ message: String) -> SDJWTError {
        SDJWTError(.transactionDataMismatch, message, path: ["KB-JWT"])
    }
}
