public import COSEKit

extension COSELabel {
    /// The list in an identifier list token (`identifier_list`, ISO/IEC 18013-5 second edition, 12.3.6).
    public static let claimIdentifierList: COSELabel = 65530
}
