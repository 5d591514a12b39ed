import ArgumentParser
import CommandSupport
import OID4VPVerifier

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A relying party of a server, in the words of `credential oid4vp request` and `credential oid4vp verify`.
struct ServedPartyOptions: ParsableArguments {
    @OptionGroup var party: RelyingPartyOptions

    @Option(
        name: .long,
        help: "An earlier key that wallets may still encrypt answers to, as a JWK; may be repeated."
    )
    var retiredEncryptionKey: [InputFile] = []

    @OptionGroup var verifiers: PresentationVerifierOptions

    @Flag(name: .long, help: "Read the known deviations of deployed wallets and other forms of W3C credentials.")
    var tolerant = false

    /// The party as a server has it.
    ///
    /// - Parameter clock: The time of each verification.
    func servedParty(clock: @escaping @Sendable () -> Date) throws -> ServedRelyingParty {
        var relyingParty = try party.relyingParty(
            verifying: try verifiers.verifiers(isTolerant: tolerant, clock: clock)
        )
        relyingParty.retiredResponseKeys = try retiredEncryptionKey.map { try $0.jwk() }
        return ServedRelyingParty(
            relyingParty,
            policy: try verifiers.policy(keeping: party.profile.presentationProfile, isTolerant: tolerant),
            reader: ResponseReader(options: tolerant ? .deployed : .strict)
        )
    }
}
