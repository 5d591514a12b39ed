import CredentialTesting
import CryptoCore
import Foundation
import IdemixCore
import TestSupport
import Testing

@Suite struct KeyGenerationTests {
    private static let expiry = Date(timeIntervalSince1970: 1_900_000_000)

    @Test func generatesKeysAsTheSchemeDemands() throws {
        let randomness = GeneratorRandomSource(RepeatableRandomNumberGenerator(seed: 21))
        var reports: [IdemixIssuerKeyPair.Progress] = []
        let keys = try IdemixIssuerKeyPair.generate(
            .bits1024,
            counter: 3,
            expiryDate: Self.expiry,
            baseCount: 5,
            using: randomness
        ) { reports.append($0) }
        #expect(keys.publicKey.elements.n.bitCount == 1_024)
        #expect(keys.publicKey.elements.R.count == 5)
        #expect(keys.publicKey.counter == 3 && keys.privateKey.counter == 3)
        #expect(keys.publicKey.supportsRevocation)
        // Safe primes that are no 3 modulo 8 both: n is 5 modulo 8 and 1 modulo 3.
        #expect(keys.publicKey.elements.n.modulo(8) == 5)
        #expect(keys.publicKey.elements.n.modulo(3) == 1)
        let order = UnrestrictedProver.order(of: keys)
        let elements = keys.publicKey.elements
        let bases = [elements.S, elements.Z] + elements.R + [elements.G, elements.H].compactMap { $0 }
        for base in bases { #expect(base.power(order, modulo: elements.n) == 1, "every base is a square") }
        // The written key is read with all checks for a production key.
        let again = try IdemixIssuerPrivateKey(xml: keys.privateKey.xml(), validation: .safePrimes)
        try again.validate(against: try IdemixIssuerPublicKey(xml: keys.publicKey.xml))
        #expect(reports.first == reports.min { $0.candidatesTested < $1.candidatesTested })
        #expect(reports.map(\.candidatesTested) == Array(0..<reports.count))
        #expect(reports.last?.primesFound == 1)
        #expect(zip(reports, reports.dropFirst()).allSatisfy { $0.primesFound <= $1.primesFound })
    }

    @Test func theSameSeedGivesTheSameKey() throws {
        let moduli = try (0..<2).map { _ in
            try IdemixIssuerKeyPair.generate(
                .bits1024,
                counter: 0,
                expiryDate: Self.expiry,
                baseCount: 3,
                using: GeneratorRandomSource(RepeatableRandomNumberGenerator(seed: 22))
            ).publicKey.elements
        }
        #expect(moduli[0] == moduli[1])
    }

    @Test func refusesImpossibleNumbersOfBasesBeforeItSearches() {
        for count in [-1, 0, 1, IdemixKeyElements.maximumBases + 1] {
            #expect(
                code {
                    _ = try IdemixIssuerKeyPair.generate(
                        .bits4096,
                        counter: 0,
                        expiryDate: Self.expiry,
                        baseCount: count
                    ) { _ in Issue.record("the search has begun") }
                } == .invalidKey
            )
        }
    }

    @Test func endsWhenItsTaskIsCancelled() async {
        let task = Task {
            code {
                // Without the cancellation this takes half a minute at least.
                _ = try IdemixIssuerKeyPair.generate(.bits4096, counter: 0, expiryDate: Self.expiry, baseCount: 3) {
                    progress in
                    if progress.candidatesTested == 2 { withUnsafeCurrentTask { $0?.cancel() } }
                    if progress.candidatesTested > 2 { Issue.record("the search goes on after its cancellation") }
                }
            }
        }
        #expect(await task.value == .cancelled)
    }
}
