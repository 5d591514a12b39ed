import CryptoCore

/// A PIN as a wallet sends it, padded to 64 bytes with zeros on its left as the reference keeps it.
struct PaddedPIN: Sendable {
    /// The longest PIN in bytes, and the length of a padded one.
    static let size = 64

    let bytes: SecretBytes

    /// Pads a PIN.
    ///
    /// The text itself came in a message and cannot be wiped. One with U+0000 is no PIN: the padding would make two texts one.
    ///
    /// - Throws: ``KeyshareServerError/Code-swift.struct/invalidPIN``.
    init(_ text: String) throws(KeyshareServerError) {
        let utf8 = text.utf8
        guard (1...Self.size).contains(utf8.count), !utf8.contains(0) else {
            throw KeyshareServerError(.invalidPIN, "a PIN has 1 to \(Self.size) bytes, none of them 0")
        }
        bytes = SecretBytes(count: Self.size) { buffer in
            for (position, byte) in zip(Self.size - utf8.count..<Self.size, utf8) { buffer[position] = byte }
        }
    }
}

/// A PIN as a record holds it.
enum StoredPIN: Sendable {
    /// The padded PIN itself, in records of the reference.
    case plain(SecretBytes)
    /// The PIN stretched by scrypt.
    case stretched(StretchedPIN)
}

/// The result of scrypt over a padded PIN, with its salt and costs.
struct StretchedPIN: Sendable {
    /// The number of bytes of a salt.
    static let saltSize = 16
    /// The number of bytes of a result.
    static let keySize = 32

    let salt: [UInt8]
    let parameters: Scrypt.Parameters
    let key: SecretBytes
}

/// Stretches PINs, a few at a time: each derivation takes megabytes of memory and tens of milliseconds.
final class PINStretcher: Sendable {
    private let parameters: Scrypt.Parameters
    let gate: WorkGate
    private let random: any RandomSource

    init(_ parameters: Scrypt.Parameters, gate: WorkGate, random: any RandomSource) {
        self.parameters = parameters
        self.gate = gate
        self.random = random
    }

    /// Stretches a new PIN with a fresh salt.
    func stretch(_ pin: PaddedPIN) async throws(KeyshareServerError) -> StretchedPIN {
        let salt = random.bytes(StretchedPIN.saltSize)
        let key = try await derive(pin, salt, parameters)
        return StretchedPIN(salt: salt, parameters: parameters, key: key)
    }

    /// Compares a PIN with that of a record, in a time that does not depend on either.
    func isRight(_ pin: PaddedPIN, for stored: StoredPIN) async throws(KeyshareServerError) -> Bool {
        switch stored {
        case .plain(let expected): return constantTimeEqual(pin.bytes, expected)
        case .stretched(let expected):
            return constantTimeEqual(try await derive(pin, expected.salt, expected.parameters), expected.key)
        }
    }

    private func derive(
        _ pin: PaddedPIN,
        _ salt: [UInt8],
        _ parameters: Scrypt.Parameters
    ) async throws(KeyshareServerError) -> SecretBytes {
        let result = try await gate.run { () -> Result<SecretBytes, CryptoError> in
            do throws(CryptoError) {
                return .success(
                    try Scrypt.deriveKey(
                        password: pin.bytes,
                        salt: salt,
                        parameters: parameters,
                        length: StretchedPIN.keySize
                    )
                )
            } catch {
                return .failure(error)
            }
        }
        do {
            return try result.get()
        } catch {
            throw KeyshareServerError(.overloaded, "the PIN could not be stretched", cause: error)
        }
    }
}
