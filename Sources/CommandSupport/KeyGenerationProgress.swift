package import IdemixCore

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
