import CryptoCore
import Foundation
import IdemixCore
import Synchronization

/// Gives the recorded tokens, codes and nonces, and the system's randomness for everything else.
final class ScriptedRandomness: RandomSource {
    private let script: Mutex<(tokens: [String], codes: [String], nonces: [BigInteger])>

    init(tokens: [String] = [], codes: [String] = [], nonces: [BigInteger] = []) {
        script = Mutex((tokens, codes, nonces))
    }

    func bytes(_ count: Int) -> [UInt8] {
        let scripted = script.withLock { script -> [UInt8]? in
            if count == 20, !script.tokens.isEmpty { return Self.drawn(script.tokens.removeFirst(), Self.alphabet) }
            if count == 4, !script.codes.isEmpty { return Self.drawn(script.codes.removeFirst(), Self.digits) }
            if count == 16, !script.nonces.isEmpty { return script.nonces.removeFirst().bytes(paddedTo: 16) }
            return nil
        }
        if let scripted { return scripted }
        let bytes = SystemRandomSource().bytes(count)
        return count == 20 ? bytes.map { $0 % Self.firstRejected } : bytes
    }

    /// The smallest byte that a token's drawing rejects.
    ///
    /// A token made of smaller ones is drawn at once. After rejected bytes, the draw of the missing ones could be as
    /// long as a code and take it.
    private static let firstRejected: UInt8 = 248

    private static let digits = Array("0123456789".utf8)
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)

    /// The bytes from which a text is drawn.
    private static func drawn(_ text: String, _ alphabet: [UInt8]) -> [UInt8] {
        text.utf8.map { UInt8(alphabet.firstIndex(of: $0) ?? 0) }
    }
}
