/// The members of a response as optional values, the form that code written against other SDKs expects.
///
/// ```swift
/// let document = response.documents?.first
/// switch response.status?.value {
/// case 0: show(document)
/// case 20: retry()
/// default: break
/// }
/// ```
///
/// Where an expression fits both forms, such as `response.documents`, it is the member of ``DeviceResponse`` itself.
public protocol OptionalResponseMembers {}

extension DeviceResponse: OptionalResponseMembers {}

extension OptionalResponseMembers where Self == DeviceResponse {
    /// The readable documents; nil if there are none.
    public var documents: [MdocDocument]? {
        let documents: [MdocDocument] = (self as DeviceResponse).documents
        return documents.isEmpty ? nil : documents
    }

    /// The status; never nil, since the standard requires it.
    public var status: DeviceResponse.Status? {
        let status: DeviceResponse.Status = (self as DeviceResponse).status
        return status
    }
}
