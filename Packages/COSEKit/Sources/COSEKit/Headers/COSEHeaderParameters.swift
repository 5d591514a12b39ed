public import CBORKit

/// Header parameters for lookup: one bucket, or both of a layer.
///
/// ``COSEHeaders`` looks into the protected bucket first. A parameter in the unprotected bucket is chosen by the last
/// sender of the bytes. Where security depends on it, ask the protected bucket alone.
public protocol COSEHeaderParameters: Sendable {
    /// The value of a parameter, or nil where it is absent.
    ///
    /// - Throws: ``COSEError/Code/invalidHeader`` for a value that was built here and cannot be encoded.
    func parameter(_ label: COSELabel) throws(COSEError) -> CBORView?

    /// The algorithm (`alg`), or nil where it is absent.
    ///
    /// - Throws: ``COSEError/Code/unsupportedAlgorithm`` for a text identifier: none is registered.
    func algorithm() throws(COSEError) -> COSEAlgorithm?
}
