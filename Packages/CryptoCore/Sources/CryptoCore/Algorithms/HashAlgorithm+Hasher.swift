import Crypto

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HashAlgorithm {
    /// A hash function that takes its message in pieces.
    public struct Hasher: Sendable {
        private enum State: Sendable {
            case sha1(Insecure.SHA1)
            case sha256(SHA256)
            case sha384(SHA384)
            case sha512(SHA512)
        }

        private var state: State

        /// Starts with the empty message.
        public init(_ algorithm: HashAlgorithm) {
            switch algorithm.kind {
            case .sha1: state = .sha1(Insecure.SHA1())
            case .sha256: state = .sha256(SHA256())
            case .sha384: state = .sha384(SHA384())
            case .sha512: state = .sha512(SHA512())
            }
        }

        /// Appends bytes to the message.
        public mutating func update(_ bytes: some ContiguousBytes) {
            unsafe bytes.withUnsafeBytes { unsafe update($0) }
        }

        private mutating func update(_ bytes: UnsafeRawBufferPointer) {
            switch state {
            case .sha1(var function):
                unsafe function.update(bufferPointer: bytes)
                state = .sha1(function)
            case .sha256(var function):
                unsafe function.update(bufferPointer: bytes)
                state = .sha256(function)
            case .sha384(var function):
                unsafe function.update(bufferPointer: bytes)
                state = .sha384(function)
            case .sha512(var function):
                unsafe function.update(bufferPointer: bytes)
                state = .sha512(function)
            }
        }

        /// The digest of what was appended so far; more may be appended afterwards.
        public func finalize() -> [UInt8] {
            switch state {
            case .sha1(let function): [UInt8](function.finalize())
            case .sha256(let function): [UInt8](function.finalize())
            case .sha384(let function): [UInt8](function.finalize())
            case .sha512(let function): [UInt8](function.finalize())
            }
        }
    }
}
