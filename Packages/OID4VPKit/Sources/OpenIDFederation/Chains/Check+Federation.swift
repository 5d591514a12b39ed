import VerificationCore

extension Check {
    /// The chain keeps within the constraints that its superiors set.
    public static let constraints: Check = "constraints"
    /// The metadata of the entity fit the policies of its superiors.
    public static let metadataPolicy: Check = "metadataPolicy"
}
