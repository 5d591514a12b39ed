// The names that other implementations have for parts of these structures, beside those of Swift.
extension IssuerSigned {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The mobile security object: another name of ``mobileSecurityObject``.
    public var MSO: MobileSecurityObject { mobileSecurityObject }

    /// The key that the credential is bound to, and what it may sign.
    public var deviceKeyInfo: DeviceKeyInfo { mobileSecurityObject.deviceKeyInfo }

    /// The namespaces with items, in the order received.
    public func getNameSpaces() -> [NameSpace] { nameSpaces.map(\.nameSpace) }

    /// The items of a namespace: another name of ``subscript(_:)``; empty where the namespace is not there.
    public func getIssuerSignedItems(ns nameSpace: NameSpace) -> IssuerSignedItems { self[nameSpace] }
}
