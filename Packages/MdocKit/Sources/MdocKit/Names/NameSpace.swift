/// A namespace of data elements, such as `org.iso.18013.5.1`; an open set, matched exactly.
public struct NameSpace: ExactName {
    /// The name as it travels.
    public let text: String

    /// Creates a namespace.
    public init(_ text: String) {
        self.text = text
    }

    /// The data elements of the mobile driving licence (ISO/IEC 18013-5, 7.2).
    public static let mDL: NameSpace = "org.iso.18013.5.1"
}
