import CryptoCore
import JSONKit

/// A timestamp server's demand for a proof of work, by the algorithm `sha2bday` of go-pow.
///
/// The proof is three different numbers, whose SHA-256 digests with the data and the server's nonce agree in the last bits of
/// their first 64. Finding them takes about 2 · 2^(2/3 · bits) digests, and a place in memory for each.
struct ProofOfWork {
    private static let algorithm = "sha2bday"
    /// The largest difficulty, whatever the wallet's options say: half of the bits that are compared.
    private static let maximumDifficulty = 32

    /// The number of bits in which the digests agree.
    let difficulty: Int
    private let nonce: [UInt8]

    /// Reads `sha2bday-<difficulty>-<nonce in base64 without padding>`.
    ///
    /// - Throws: ``WalletError/Code/proofOfWork``, also for a difficulty above the limit.
    init(_ text: String, atMost limit: Int) throws(WalletError) {
        let parts = text.split(separator: "-", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].utf8.elementsEqual(Self.algorithm.utf8) else {
            throw Self.refusal("a proof of work by an unknown algorithm")
        }
        let padding = String(repeating: "=", count: (4 - parts[2].utf8.count % 4) % 4)
        guard let difficulty = UInt32(parts[1]), !parts[2].contains("="),
            let nonce = try? JSONBase64.base64.decode(parts[2] + padding)
        else {
            throw Self.refusal("a malformed proof of work")
        }
        let limit = min(limit, Self.maximumDifficulty)
        guard difficulty <= limit else {
            throw Self.refusal("a proof of work of \(difficulty) bits, where the wallet makes those of \(limit)")
        }
        self.difficulty = Int(difficulty)
        self.nonce = nonce
    }

    private static func refusal(_ demand: String) -> WalletError {
        WalletError(.proofOfWork, "the timestamp server demands \(demand)", path: ["timestamp"])
    }

    /// The proof for a request to put a time on a nonce, in base64 without padding.
    ///
    /// - Parameters:
    ///   - nonce: The nonce.
    ///   - time: The time, in seconds since 1970.
    /// - Throws: ``WalletError/Code/cancelled``.
    func proof(about nonce: [UInt8], at time: Int64) throws(WalletError) -> String {
        let numbers = try numbers(for: Self.bytes(UInt64(bitPattern: time)) + nonce)
        return String(JSONBase64.base64.encode(numbers.flatMap(Self.bytes)).prefix { $0 != "=" })
    }

    /// The first three numbers from one on whose digests agree.
    private func numbers(for data: [UInt8]) throws(WalletError) -> [UInt64] {
        let mask: UInt64 = (1 << difficulty) - 1
        let end = data + nonce
        var (firsts, seconds): ([UInt64: UInt64], [UInt64: UInt64]) = ([:], [:])
        var number: UInt64 = 0
        while true {
            number &+= 1
            guard number % 4096 != 0 || !Task.isCancelled else {
                throw WalletError(.cancelled, "the task was cancelled", path: ["timestamp"])
            }
            let digest = HashAlgorithm.sha256.digest(of: Self.bytes(number) + end)
            let bits = digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } & mask
            if let first = firsts[bits], let second = seconds[bits] { return [first, second, number] }
            if firsts[bits] == nil { firsts[bits] = number } else { seconds[bits] = number }
        }
    }

    private static func bytes(_ number: UInt64) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }
}
