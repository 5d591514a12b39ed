import ArgumentParser
import CommandSupport
import JOSEKit
import OID4VPVerifier

/// A relying party: its identity towards wallets, its pages, and the key that answers are encrypted to.
struct RelyingPartyOptions: ParsableArguments {
    @OptionGroup var identity: VerifierIdentityOptions

    @Option(
        name: .long,
        help: "An origin of the verifier's page, for a request over the Digital Credentials API; may be repeated."
    )
    var origin: [String] = []

    @Option(
        name: .long,
        help: "The private key that answers are encrypted to, as a JWK for ECDH-ES; by default a fresh one on P-256."
    )
    var encryptionKey: InputFile?

    @OptionGroup var profile: ProfileOptions

    /// The party.
    ///
    /// - Parameter verifiers: The verifiers of the formats that it asks for.
    func relyingParty(verifying verifiers: FormatVerifiers) throws -> RelyingParty {
        var party = RelyingParty(client: try identity.identity(), verifiers: verifiers)
        party.profile = profile.presentationProfile
        party.origins = origin
        if let encryptionKey { party.encryption = ResponseEncryptionPolicy(key: .fixed(try encryptionKey.jwk())) }
        return party
    }
}
