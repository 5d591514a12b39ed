package import Foundation
package import IdemixCore

/// Generation of an issuer's keys, which reports its progress and ends at Ctrl-C.
package enum KeyGeneration {
    /// Generates a key pair.
    ///
    /// - Parameters:
    ///   - bits: The length of the modulus.
    ///   - counter: The number of the key.
    ///   - expiry: The time from which the key may no longer sign.
    ///   - baseCount: The number of bases: that of the attributes with secret key and metadata.
    /// - Throws: ``ToolError`` for Ctrl-C; the errors of key generation.
    package static func keyPair(
        bits: Int,
        counter: UInt,
        expiry: Date,
        baseCount: Int
    ) async throws -> IdemixIssuerKeyPair {
        let parameters = try IdemixSystemParameters(modulusBits: bits)
        do {
            return try await Interruption.cancelling {
                var progress = KeyGenerationProgress(console: .current)
                return try IdemixIssuerKeyPair.generate(
                    parameters,
                    counter: counter,
                    expiryDate: expiry,
                    baseCount: baseCount,
                    progress: { progress.report($0) }
                )
            }
        } catch let error as IdemixError where error.code == .cancelled {
            throw ToolError("cancelled; nothing was written")
        }
    }
}

/// Says on standard error how far the search for safe primes is: when it begins, when one is found, and once a second.
package struct KeyGenerationProgress {
    package let console: Console
    private var lastPrimesFound = -1
    private var lastReport = ContinuousClock.now

    package init(console: Console) {
        self.console = console
    }

    package mutating func report(_ progress: IdemixIssuerKeyPair.Progress) {
        let now = ContinuousClock.now
        guard progress.primesFound != lastPrimesFound || now - lastReport >= .seconds(1) else { return }
        lastPrimesFound = progress.primesFound
        lastReport = now
        console.error("\(progress.primesFound) of 2 safe primes found, \(progress.candidatesTested) candidates tested")
    }
}
