import ArgumentParser
import CryptoCore
import Foundation
import MdocKit
import StatusListKit

/// What a verifier of mobile documents trusts, and what it knows of revocations.
struct MdocVerifierOptions: ParsableArguments {
    @Option(
        name: .long,
        parsing: .upToNextOption,
        help: "Trusted issuing authorities: certificates in PEM or DER, or VICALs, each trusted by being named here."
    )
    var trust: [InputFile]

    @Option(name: .long, help: "The time to verify at, in RFC 3339; now without it.")
    var at: Timestamp?

    @Option(name: .long, help: "Status lists as fetched before: a snapshot, in CBOR.")
    var statusLists: InputFile?

    @Option(name: .long, help: "Identifier lists as fetched before: a snapshot, in CBOR.")
    var identifierLists: InputFile?

    @Flag(name: .long, help: "Take documents without asking whether they are revoked.")
    var skipStatus = false

    @Flag(name: .long, help: "Tolerate harmless departures of issuers' certificates from their profile, and list them.")
    var tolerant = false

    /// The time to verify at.
    var time: Date { at?.date ?? Console.current.now() }

    /// The verifier.
    ///
    /// It fetches nothing: a document that can be revoked is refused where no snapshot has its list.
    func verifier() throws -> MdocVerifier {
        let now = time
        var policy = tolerant ? MdocVerificationPolicy.tolerant : .strict
        // Who runs a command looks for faults: all of them are shown.
        policy.makesAllChecks = true
        return MdocVerifier(
            trustAnchors: try trust.flatMap { try $0.trustAnchors(at: now) },
            policy: policy,
            statusChecker: MdocStatusChecker(
                snapshot: try statusLists.map { try StatusListSnapshot(decoding: $0.decoded().bytes) } ?? .init(),
                identifierLists: try identifierLists.map { try IdentifierListSnapshot(decoding: $0.decoded().bytes) }
                    ?? .init()
            ),
            chainCache: nil,
            clock: { now }
        )
    }
}
