import COSEKit
import CryptoCore
import VerificationCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The signer of a list, by a certificate chain that was found valid.
struct ListSigner {
    let chain: ValidatedCertificateChain
    /// The deviations of the header and of the certificates that tolerances let pass.
    let deviations: [Deviation]
}

extension StatusListPolicy {
    /// The signer that the certificates in the header of a token in CWT form name.
    ///
    /// - Parameters:
    ///   - headers: The headers; `x5chain` may stand in either bucket, and an `x5t` beside it must name the leaf.
    ///   - anchors: The certificates that the chain must end at.
    ///   - signers: The policy for the chain.
    ///   - time: The time.
    func signer(
        in headers: COSEHeaders,
        anchors: [Certificate],
        policy signers: CertificatePathPolicy,
        at time: Date
    ) throws(CheckFault) -> ListSigner {
        let (encoded, deviations) = try x5chain(in: headers)
        let chain: ValidatedCertificateChain
        do throws(Refusal) {
            let validator = CertificatePathValidator(anchors: anchors, policy: signers)
            chain = try validator.validate(encodedChain: encoded, at: time).get()
        } catch {
            throw .failed(.issuerNotTrusted, "\(error)", path: ["x5chain"])
        }
        try CheckFault.converting { () throws(COSEError) in try headers.requireX5T(of: chain.leaf.derBytes) }
        return ListSigner(chain: chain, deviations: deviations + chain.deviations(at: ["x5chain"]))
    }

    /// The certificates in the header, leaf first, and the deviations that a tolerance let pass.
    private func x5chain(
        in headers: COSEHeaders
    ) throws(CheckFault) -> (chain: [ArraySlice<UInt8>], deviations: [Deviation]) {
        var deviations: [Deviation] = []
        let chain: [ArraySlice<UInt8>]
        do throws(COSEError) {
            chain = try headers.x5chain(maximumCount: limits.certificates)
        } catch {
            guard tolerances.contains(.arrayOfOneCertificate) else { throw error.fault }
            chain = try CheckFault.converting { () throws(COSEError) in
                try headers.x5chain(maximumCount: limits.certificates, allowingArrayOfOne: true)
            }
            deviations.append(Deviation(StatusListTolerance.arrayOfOneCertificate.description, at: ["x5chain"]))
        }
        guard !chain.isEmpty else {
            throw .failed(.issuerNotTrusted, "the header carries no certificate chain", path: ["x5chain"])
        }
        return (chain, deviations)
    }
}
