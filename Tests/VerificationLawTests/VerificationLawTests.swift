import CredentialTesting
import Credentials
import Foundation
import Testing
@_spi(Laws) import VerificationCore

/// No verifier of the repository hands out a value past a check that failed, could not be made or was not reached.
@Suite struct VerificationLawTests {
    @Test func everyVerifierVerifiesItsOwnScene() async throws {
        for verifier in try await LawfulVerifier.all() {
            let answer = try await verifier.run()
            #expect(answer.isVerified, "\(verifier.name): \(answer.refusal?.description ?? "")")
            #expect(Set(verifier.checks).isSubset(of: answer.checks), "\(verifier.name)")
        }
    }

    /// A replaced result stands for anything that can go wrong in a check.
    @Test(
        arguments: [
            .failed("law", "it failed"), .unavailable("law", "it could not be made"), .notReached,
        ] as [CheckResult.Outcome]
    )
    func noValuePassesACheckThatDoesNotPermitIt(_ outcome: CheckResult.Outcome) async throws {
        var count = 0
        for verifier in try await LawfulVerifier.all() {
            for check in verifier.checks {
                let answer = try await CheckReplacement.$current.withValue(CheckReplacement(of: check, by: outcome)) {
                    try await verifier.run()
                }
                #expect(!answer.isVerified, "\(verifier.name) hands out a value past \(check): \(outcome)")
                #expect(answer.refusal?.check == check, "\(verifier.name), \(check): \(outcome)")
                count += 1
            }
        }
        print("laws: \(count) checks, \(outcome)")
        #expect(count > 100)
    }
}

/// A verifier with an object that it verifies.
struct LawfulVerifier: Sendable {
    /// The outcome of a verification.
    struct Answer: Sendable {
        let isVerified: Bool
        let refusal: Refusal?
        let checks: Set<Check>

        init<Value>(_ verification: Verification<Value>) {
            isVerified = verification.verified != nil
            refusal = verification.refusal
            let parts = verification.parts.flatMap { $0.verification.checks }
            checks = Set((verification.checks + parts).map(\.check))
        }
    }

    let name: String
    /// The checks that the verifier declares.
    let checks: [Check]
    let run: @Sendable () async throws -> Answer

    init<Value: Sendable>(
        _ name: String,
        _ checks: [Check],
        _ verification: @escaping @Sendable () async throws -> Verification<Value>
    ) {
        self.name = name
        self.checks = checks
        run = { Answer(try await verification()) }
    }

    /// Every verifier of the repository.
    static func all() async throws -> [LawfulVerifier] {
        let pki = try await MdocTestPKI.make(at: time)
        let lists = try await trustLists(pki) + statusLists(pki)
        let presentations = try await mdocs(pki) + sdJWTs() + linkedData() + responses(pki) + trustChains()
        return try await certificates(pki) + presentations + lists + tokens() + proofLists()
    }

    static let time = Date(timeIntervalSince1970: 1_800_000_000)
}
