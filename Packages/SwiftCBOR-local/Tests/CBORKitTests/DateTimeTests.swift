import CBORKit
import Testing

@Suite struct DateTimeTests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0), ("2013-03-21T20:04:00Z", 1_363_896_240), ("1969-12-31T23:59:59Z", -1),
        ("2000-02-29T12:00:00.25+01:30", 951_820_200), ("1996-12-19T16:39:57-08:00", 851_042_397),
        ("0000-01-01T00:00:00Z", -62_167_219_200), ("9999-12-31T23:59:59Z", 253_402_300_799),
        ("1990-12-31T23:59:60Z", 662_688_000), ("2020-10-01T13:30:02.000Z", 1_601_559_002),
    ])
    func textAndSecondsAgree(text: String, seconds: Int64) throws {
        let value = try #require(CBORDateTime(text))
        #expect(value.secondsSinceEpoch == seconds)
        #expect(value.description == text)
    }

    @Test(arguments: [
        "", "2013-03-21", "2013-03-21 20:04:00Z", "2013-03-21t20:04:00Z", "2013-03-21T20:04:00z", "2013-03-21T20:04:00",
        "2013-02-29T20:04:00Z", "2013-13-01T20:04:00Z", "2013-00-01T20:04:00Z", "2013-03-32T20:04:00Z",
        "2013-03-21T24:00:00Z", "2013-03-21T20:60:00Z", "2013-03-21T20:04:60Z", "2013-03-21T20:04:00.Z",
        "2013-03-21T20:04:00+24:00", "2013-03-21T20:04:00+01:60", "2013-03-21T20:04:00+0100", "2013-03-21T20:04:00ZZ",
        "13-03-21T20:04:00Z", "1900-02-29T00:00:00Z", "+013-03-21T20:04:00Z", "2013-03-21T20:04:00Z ",
    ])
    func otherTextIsRefused(text: String) {
        #expect(CBORDateTime(text) == nil)
    }

    @Test func daysOfAllYearsRoundTrip() throws {
        var day: Int32 = -719_528
        while day <= 2_932_896 {
            let date = CBORDate(daysSinceEpoch: day)
            let (year, month, dayOfMonth) = date.components
            #expect(CBORDate(year: year, month: month, day: dayOfMonth) == date)
            #expect(CBORDate(date.description) == date)
            day += 97
        }
    }

    @Test func secondsMakeTheTextThatMakesThem() throws {
        for seconds in stride(from: -62_167_219_200 as Int64, through: 253_402_300_799, by: 987_654_321) {
            let value = try #require(CBORDateTime(secondsSinceEpoch: seconds))
            #expect(CBORDateTime(value.description)?.secondsSinceEpoch == seconds)
        }
        #expect(CBORDateTime(secondsSinceEpoch: 253_402_300_800) == nil)
        #expect(CBORDateTime(secondsSinceEpoch: .max) == nil)
        #expect(CBORDateTime(secondsSinceEpoch: .min) == nil)
    }

    @Test func readsAndBuildsTaggedItems() throws {
        let value = try #require(CBORDateTime("2013-03-21T20:04:00Z"))
        let item = try CBORDocument(CBOR.dateTime(value).encoded()).root
        #expect(try item.dateTime() == value)
        let date = try #require(CBORDate("1940-10-09"))
        #expect(date.daysSinceEpoch == -10676)
        #expect(try CBORDocument(CBOR.epochDate(date).encoded()).root.date() == date)
        #expect(try CBORDocument(try #require(CBOR.fullDate(date)).encoded()).root.date() == date)
    }
}
