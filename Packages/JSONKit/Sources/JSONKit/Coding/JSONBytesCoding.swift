/// The JSON form of `[UInt8]` and Foundation's `Data`.
public struct JSONBytesCoding: Hashable, Sendable {
    /// The text that they become; nil for an array of numbers.
    let base64: JSONBase64?

    /// A string in base64url without padding, as in JOSE.
    public static let base64url = JSONBytesCoding(base64: .base64url)
    /// A string in base64 with padding.
    public static let base64 = JSONBytesCoding(base64: .base64)
    /// An array of numbers from 0 to 255: what `Codable` makes of them itself.
    public static let numbers = JSONBytesCoding(base64: nil)
}
