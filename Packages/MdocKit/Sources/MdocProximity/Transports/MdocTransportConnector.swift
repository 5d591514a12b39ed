public import MdocKit

/// Opens the channel that an engagement offers, for a reader.
public protocol MdocTransportConnector: Sendable {
    /// Opens a channel to the wallet.
    ///
    /// - Parameter engagement: The wallet's engagement; its retrieval methods say how it can be reached.
    /// - Throws: ``MdocError`` with code `transportFailed` where there is no way to reach it. Must end soon when its
    ///   task is cancelled.
    func connect(to engagement: DeviceEngagement) async throws(MdocError) -> any MdocTransport
}
