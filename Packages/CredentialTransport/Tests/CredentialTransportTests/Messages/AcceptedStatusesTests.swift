import CredentialTransport
import Testing

@Suite struct AcceptedStatusesTests {
    @Test func rangesIncludeTheirBounds() {
        let accepted = AcceptedStatuses(200...499)
        for (status, isAccepted) in [(199, false), (200, true), (499, true), (500, false)] {
            #expect(accepted.contains(status) == isAccepted)
        }
        #expect(AcceptedStatuses.successful == AcceptedStatuses(200...299))
    }

    @Test func setsHaveTheirMembersOnly() {
        let accepted: AcceptedStatuses = [200, 404]
        #expect(accepted == AcceptedStatuses([404, 200]))
        #expect(accepted.contains(404))
        #expect(!accepted.contains(403))
    }

    @Test func rangesAreCutToThreeDigits() {
        #expect(AcceptedStatuses(Int.min...Int.max) == AcceptedStatuses(100...999))
        #expect(AcceptedStatuses(1000...2000) == [])
    }
}
