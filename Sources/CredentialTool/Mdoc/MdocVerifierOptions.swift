import ArgumentParser
import CommandSupport
import CryptoCore
import Foundation
import MdocKit
import MdocTrust
import StatusListKit

/// A verifier's trust in issuers of mobile documents, and its knowledge of revocations.
struct MdocVerifierOptions: ParsableArguments {
    @Option(
        name: .long,
        help: """
            A file of trusted issuing authorities: certificates in PEM or DER, or a VICAL, which is trusted by being named \
            here; may be repeated.
            """
    )
    var trust: [InputFile]

    @Option(
        name: .long,
        help:
            "The time to verify at, in RFC 3339 such as 2024-10-01T12:00:00Z; a day means its first moment in UTC. By default now."
    )
    var at: TimeArgument?

    @OptionGroup var status: StatusOptions

    @Flag(name: .long, help: "Tolerate harmless departures of issuers' certificates from their profile, and list them.")
    var tolerant = false

    /// The time to verify at.
    var time: Date { at?.date ?? Console.current.now() }

    /// The verifier.
    ///
    /// It fetches nothing but named URLs: a document that can be revoked is refused where its list is not at hand.
    func verifier() throws -> MdocVerifier {
        let now = time
        var policy = tolerant ? MdocVerificationPolicy.deployed : .strict
        // The command is for finding faults, so it shows all of them.
        policy.makesAllChecks = true
        policy.status = status.policy
        return MdocVerifier(
            trustAnchors: try trust.flatMap { try $0.trustAnchors(at: now) },
            policy: policy,
            statusChecker: try status.mdocChecker(),
            chainCache: nil,
            clock: { now }
        )
    }
}
