import COSEKit
import JOSEKit
public import StatusListKit

extension StatusListPolicy {
    /// A reader's policy for the lists of an mdoc: either form, any signature algorithm of the standard, and an expiry.
    ///
    /// The standard promises the CWT form alone; issuers that serve other credentials too offer the JWT form.
    public static let mdoc = StatusListPolicy(
        jwtAlgorithms: [.es256, .es384, .es512, .edDSA, .ed25519, .ed448],
        cwtAlgorithms: MdocAlgorithms.signatures.algorithms,
        requiresExpirationTime: true
    )
}
