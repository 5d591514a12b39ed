import CryptoCore

/// The key that signs the statements of one proof, as a multikey in bytes (Data Integrity ECDSA Cryptosuites 1.0,
/// section 3.6.5, step 4).
struct StatementKey {
    /// The prefix of P-256 and the compressed point.
    let bytes: [UInt8]
    let publicKey: PublicKey

    private static let prefix: [UInt8] = [0x80, 0x24]

    /// Takes a key that was generated on P-256.
    init(generated key: PublicKey) throws(CryptoError) {
        guard key.curve == .p256, let point = key.compressedRepresentation else {
            throw CryptoError(.keyMismatch, "statements are signed on P-256")
        }
        bytes = Self.prefix + point
        publicKey = key
    }

    init(_ bytes: ArraySlice<UInt8>) throws(LinkedDataError) {
        let point = bytes.dropFirst(Self.prefix.count)
        guard bytes.starts(with: Self.prefix), point.count == 33 else {
            throw LinkedDataError(.invalidProofValue, "the key of the statements is no multikey of P-256")
        }
        self.bytes = Array(bytes)
        do throws(CryptoError) {
            publicKey = try PublicKey(curve: .p256, x963Representation: point)
        } catch {
            throw LinkedDataError(.invalidProofValue, "the key of the statements is no point", cause: error)
        }
    }
}

extension StatementKey {
    /// Returns `true` if the key made each of some signatures, one for each statement.
    func signs(_ statements: [[UInt8]], _ signatures: [[UInt8]]) -> Bool {
        statements.count == signatures.count
            && zip(statements, signatures).allSatisfy { statement, signature in
                publicKey.isValidSignature(signature, for: statement, algorithm: .ecdsaSHA256)
            }
    }
}
