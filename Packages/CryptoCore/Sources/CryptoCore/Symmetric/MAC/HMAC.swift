import Crypto

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A message authentication code made with a hash function (RFC 2104, FIPS 198-1).
///
/// The static functions are for complete messages; a value takes its message in pieces. Protocols that cut the code off
/// use a ``MACAlgorithm``.
public struct HMAC: Sendable {
    private enum State: Sendable {
        case sha1(Crypto.HMAC<Insecure.SHA1>)
        case sha256(Crypto.HMAC<SHA256>)
        case sha384(Crypto.HMAC<SHA384>)
        case sha512(Crypto.HMAC<SHA512>)
    }

    private var state: State

    /// Starts with the empty message.
    ///
    /// - Parameters:
    ///   - key: The key, of any length; shorter than the digest is weaker than the code looks.
    ///   - hash: The hash function.
    public init(key: some ContiguousBytes, hash: HashAlgorithm) {
        let key = SymmetricKey(data: key)
        switch hash.kind {
        case .sha1: state = .sha1(Crypto.HMAC(key: key))
        case .sha256: state = .sha256(Crypto.HMAC(key: key))
        case .sha384: state = .sha384(Crypto.HMAC(key: key))
        case .sha512: state = .sha512(Crypto.HMAC(key: key))
        }
    }

    /// Appends bytes to the message.
    public mutating func update(_ bytes: some ContiguousBytes) {
        unsafe bytes.withUnsafeBytes { bytes in
            switch state {
            case .sha1(var code):
                unsafe code.update(data: bytes)
                state = .sha1(code)
            case .sha256(var code):
                unsafe code.update(data: bytes)
                state = .sha256(code)
            case .sha384(var code):
                unsafe code.update(data: bytes)
                state = .sha384(code)
            case .sha512(var code):
                unsafe code.update(data: bytes)
                state = .sha512(code)
            }
        }
    }

    /// The code of what was appended so far, as long as the hash function's digest; more may be appended afterwards.
    public func finalize() -> [UInt8] {
        withCode { $0.copied() }
    }

    /// The code as a key for further use.
    func finalizeToSecret() -> SecretBytes {
        withCode { SecretBytes($0) }
    }

    private func withCode<Value>(_ body: (any ContiguousBytes) -> Value) -> Value {
        switch state {
        case .sha1(let code): body(code.finalize())
        case .sha256(let code): body(code.finalize())
        case .sha384(let code): body(code.finalize())
        case .sha512(let code): body(code.finalize())
        }
    }

    /// The code of a message, as long as the hash function's digest.
    public static func authenticationCode(
        for message: some ContiguousBytes,
        key: some ContiguousBytes,
        hash: HashAlgorithm
    ) -> [UInt8] {
        var code = HMAC(key: key, hash: hash)
        code.update(message)
        return code.finalize()
    }

    /// Returns `true` for the code of the message, compared in constant time.
    ///
    /// A code of another length than the hash function's digest is not valid.
    public static func isValid(
        _ code: some ContiguousBytes,
        for message: some ContiguousBytes,
        key: some ContiguousBytes,
        hash: HashAlgorithm
    ) -> Bool {
        constantTimeEqual(code, authenticationCode(for: message, key: key, hash: hash))
    }
}
