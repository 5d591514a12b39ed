import ArgumentParser
import CommandSupport
import CryptoCore
import SDJWTKit
import StatusListKit

/// The signer of the status lists that SD-JWTs name.
struct StatusSignerOptions: ParsableArguments {
    @Option(
        name: .long,
        help: "The public key of the signer of status lists for SD-JWTs, in PEM; by default the issuer's."
    )
    var statusKey: InputFile?

    @Option(
        name: .long,
        help: """
            A file of trusted authorities for signers of status lists for SD-JWTs, PEM or DER, in place of the issuer's key; \
            may be repeated.
            """
    )
    var statusTrust: [InputFile] = []

    func validate() throws {
        guard statusKey == nil || statusTrust.isEmpty else {
            throw ValidationError("Say --status-key or --status-trust, not both.")
        }
    }

    /// The signer: the named key, one that a trusted authority has certified, or the issuer itself.
    func signer() throws -> StatusListSigner {
        if let statusKey { return .known(.publicKey(try statusKey.publicKey())) }
        guard !statusTrust.isEmpty else { return .issuerKeys }
        let anchors = try statusTrust.flatMap { try $0.certificates() }
        return .known(.certificates(anchors: anchors, policy: .statusListTokenSignerWithoutPurpose))
    }
}
